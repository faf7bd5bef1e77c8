/** Times of OCPI are UTC; `Z` may be missing, any other offset is wrong. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z?$/

/** In ms since the epoch; undefined for what is none. */
export function parseOcpiTime(text: string): number | undefined {
  const time = TIME.test(text) ? Date.parse(text.endsWith('Z') ? text : `${text}Z`) : Number.NaN
  return new Date(time).getUTCDate() === Number(text.slice(8, 10)) ? time : undefined
}
