/** What stands in a PDF file of ours, read the way that a reader finds it: by its table of objects. */
import { inflateSync } from 'node:zlib'

/** The texts of each page, a line each. Throws where an object is not where the table says. */
export function textsOf(file: Buffer): readonly string[] {
  const text = file.toString('latin1')
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
  const entries = [...text.slice(start).matchAll(/(\d{10}) 00000 n /g)].map(([, place]) => Number(place))
  return entries.flatMap((place, at) => {
    if (!text.startsWith(`${at + 1} 0 obj\n`, place)) throw new Error(`There is no object ${at + 1} at ${place}.`)
    const [, length] = /^\d+ 0 obj\n<< \/Length (\d+) /.exec(text.slice(place)) ?? []
    if (length === undefined) return []
    const from = text.indexOf('stream\n', place) + 'stream\n'.length
    const content = inflateSync(file.subarray(from, from + Number(length))).toString('latin1')
    return [[...content.matchAll(/<([0-9a-f]*)> Tj/g)].map(([, codes = '']) => decoded(codes)).join('\n')]
  })
}

/** Node 20 reads windows-1252 as Latin-1. */
const FROM_0X80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function decoded(codes: string): string {
  const text = Buffer.from(codes, 'hex').toString('latin1')
  return text.replaceAll(/[\u0080-\u009f]/g, (at) => FROM_0X80[at.charCodeAt(0) - 0x80] ?? '')
}
