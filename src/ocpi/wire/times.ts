/** Times of OCPI are UTC; `Z` may be missing, any other offset is wrong. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z?$/

/** In ms since the epoch; undefined for what is none. */
export function parseOcpiTime(text: string): number | undefined {
  if (!TIME.test(text)) return undefined
  const time = Date.parse(text.endsWith('Z') ? text : `${text}Z`)
  return Number.isNaN(time) ? undefined : time
}
