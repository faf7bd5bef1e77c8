/** Content negotiation as far as the API needs it: 406 when the client accepts nothing we have (API-E1). */
import { Problem } from '../respond.ts'

/** @param accept the Accept header; absent means anything (RFC 9110 §12.5.1) */
export function requireAcceptable(accept: string | undefined, produced: readonly string[]): void {
  if (accept === undefined || accept.trim() === '' || produced.some((type) => weightOf(accept, type) > 0)) return
  throw new Problem(406, 'not_acceptable', `This resource is offered as ${produced.join(' and ')}.`)
}

/** Browsers send a dozen. What stands behind is not read: it would be read for every answer there is. */
const MAX_RANGES = 100

export function preferred(accept: string | undefined, produced: readonly string[]): string | undefined {
  if (accept === undefined || accept.trim() === '') return produced[0]
  const weighed = produced.map((type) => ({ type, weight: weightOf(accept, type) }))
  return weighed.reduce((best, one) => (one.weight > best.weight ? one : best), { type: produced[0], weight: 0 }).type
}

/** The most specific range that fits decides; its weight 0 means "not this". */
function weightOf(accept: string, type: string): number {
  const [main = ''] = type.split('/')
  const ranges = accept.split(',', MAX_RANGES).map((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { name, weight: weight !== undefined && /^[01](\.\d*)?$/.test(weight) ? Number(weight) : 1 }
  })
  const decisive = [type, `${main}/*`, '*/*'].map((name) => ranges.find((range) => range.name === name)).find(Boolean)
  return decisive?.weight ?? 0
}
