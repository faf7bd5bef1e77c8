import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FileFault, isForm, readForm } from './multipart.ts'

const TYPE = 'multipart/form-data; boundary=XX'

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

const read = (bytes: Buffer, size = 7) => readForm(inPieces(bytes, size), TYPE, collect)
const field = (name: string, value: string): string =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('--XX\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'),
    content,
    Buffer.from('\r\n'),
  ])
const END = Buffer.from('--XX--\r\n')

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'read',
    (error: unknown) => (error instanceof FileFault ? error.kind : error),
  )

// FIRMWARE-F4: a form with a file
it('is read whatever bytes the file has and wherever the pieces are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 80 }), async (bytes, size) => {
      const content = Buffer.from(bytes)
      const form = Buffer.concat([Buffer.from(field('a', '1')), file(content), Buffer.from(field('b', '2')), END])
      const { fields, file: kept } = await read(form, size)
      expect(fields).toEqual([
        ['a', '1'],
        ['b', '2'],
      ])
      expect(kept).toEqual(content)
    }),
    { numRuns: 50 },
  )
})

it('that is cut short anywhere is refused, and never hangs', async () => {
  const whole = Buffer.concat([Buffer.from(field('a', '1')), file(Buffer.from('content')), END])
  for (let length = 0; length < whole.length - 4; length++) {
    const fault = await faultOf(read(whole.subarray(0, length)))
    expect(['malformed', 'brokenOff']).toContain(fault)
  }
})

it('keeps its first file only, and has bounds', async () => {
  const two = Buffer.concat([file(Buffer.from('one')), file(Buffer.from('two')), END])
  expect((await read(two)).file?.toString()).toBe('one')
  expect(await faultOf(read(Buffer.concat([Buffer.from(field('a', 'x'.repeat(70_000))), END]), 4096))).toBe('malformed')
  const many = Buffer.from(Array.from({ length: 60 }, (_, at) => field(`f${at}`, 'x')).join(''))
  expect(await faultOf(read(Buffer.concat([many, END]), 4096))).toBe('malformed')
})

it('tells why its file was not kept', async () => {
  const refusing = readForm(inPieces(Buffer.concat([file(Buffer.from('abc')), END]), 5), TYPE, async (content) => {
    for await (const _ of content) throw new FileFault('diskFull', 'full')
  })
  expect(await faultOf(refusing)).toBe('diskFull')
})

it.each([
  ['multipart/form-data; boundary=x', true],
  ['Multipart/Form-Data;boundary=x', true],
  ['multipart/form-datax', false],
  ['application/octet-stream', false],
  [undefined, false],
])('%s', (type, is) => expect(isForm(type)).toBe(is))
