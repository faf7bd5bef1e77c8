/** Timestamps as received: without zone, `+02`, a space, epochs, nonsense (OCPP-DR13, OCPP-VA3); V8 misreads some. */
import type { StationTime } from '../domain/ports/sessions.ts'
import { canBeWritten, withoutNul } from './translate/payload.ts'

/** ENERGY-W2: a station's clock may run ahead a little, but not by a day. */
const FURTHEST_AHEAD_MS = 86_400_000
/** ENERGY-W2: no station was connected to this server earlier; clocks that were never set start in 1970 or 2000. */
const EARLIEST = Date.UTC(2020, 0, 1)

/**
 * ENERGY-W1, ENERGY-W2. `text` is the member as received: text, or an epoch number. Old times are legal (a replayed
 * queue); an unreadable time, or one before 2020 or more than a day ahead of `receivedAt`, becomes `receivedAt`
 * and is marked `repaired`. A missing time becomes `receivedAt`, unmarked.
 */
export function stationTime(text: unknown, receivedAt: number): StationTime {
  if (text === undefined || text === null) return { occurredAt: receivedAt, receivedAt }
  if (typeof text !== 'string' && typeof text !== 'number')
    return { occurredAt: receivedAt, receivedAt, repaired: true }
  const sent = String(text)
  // This copy is kept with the transaction; the log has every byte.
  const original = sent.slice(0, LONGEST)
  const occurredAt = parseStationTime(sent)
  if (occurredAt === undefined || occurredAt < EARLIEST || occurredAt > receivedAt + FURTHEST_AHEAD_MS) {
    return { occurredAt: receivedAt, receivedAt, original, repaired: true }
  }
  return { occurredAt, receivedAt, original }
}

/** RFC 3339 in UTC, as nearly every station writes it. Not every month has days after the 28th: see below. */
export const PLAIN_TIME =
  /^2\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/
/** The year first, or it could be a month. Digits may be missing, and the zone may be repeated (`+00:00Z`). */
const DATE_TIME =
  /^(\d{4})([-/.])(\d\d?)\2(\d\d?)(?:[Tt]|\s+)(\d\d?):(\d\d?)(?::(\d\d?)(?:[.,](\d*))?)?\s*(?:([Zz]|UTC|GMT)|([+-])(\d\d)(?::?(\d\d))?[Zz]?)?$/
/** ISO 8601 without separators. */
const BASIC = /^(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(\d\d)?/
/** Nine digits of seconds reach back to 1973; eleven end in the year 5138. */
const EPOCH_SECONDS = /^\d{9,11}(?:\.\d*)?$/
const EPOCH_MS = /^\d{12,14}(?:\.\d*)?$/
/** No timestamp is longer; bounds the time spent. */
const LONGEST = 64

/** Milliseconds since the epoch; undefined for no point in time (30 February). No zone means UTC (OCPP-VA3). */
export function parseStationTime(text: string): number | undefined {
  if (text.length > LONGEST) return undefined
  if (PLAIN_TIME.test(text)) return Date.parse(text)
  const trimmed = withoutNul(text).trim()
  const match = DATE_TIME.exec(trimmed.replace(BASIC, '$1-$2-$3T$4:$5:$6'))
  if (!match) return parseEpoch(trimmed)
  const [, year, , month, day, hour, minute, second = '0', fraction = '', , sign, zoneHour, zoneMinute = '0'] = match
  const midnight = dayStart(Number(year), Number(month), Number(day))
  const ms = timeOfDay(Number(hour), Number(minute), Number(second), fraction)
  if (midnight === undefined || ms === undefined) return undefined
  const zone = sign ? offset(sign, Number(zoneHour), Number(zoneMinute)) : 0
  if (zone === undefined) return undefined
  const at = midnight + ms - zone * 60_000
  return canBeWritten(at) ? at : undefined
}

function parseEpoch(text: string): number | undefined {
  if (EPOCH_SECONDS.test(text)) return Math.floor(Number(text) * 1000)
  return EPOCH_MS.test(text) ? Math.floor(Number(text)) : undefined
}

/** Date.UTC turns 30 February into March and years below 100 into 19xx; both are refused. */
function dayStart(year: number, month: number, day: number): number | undefined {
  const start = Date.UTC(year, month - 1, day)
  const date = new Date(start)
  const exact = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exact ? start : undefined
}

/** 24:00 is the end of the day and second 60 a leap second; both carry over. */
function timeOfDay(hour: number, minute: number, second: number, fraction: string): number | undefined {
  if (hour > 24 || minute > 59 || second > 60 || (hour === 24 && (minute > 0 || second > 0))) return undefined
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return ((hour * 60 + minute) * 60 + second) * 1000 + ms
}

/** Minutes; no place on earth is more than 14 hours off UTC. */
function offset(sign: string, hours: number, minutes: number): number | undefined {
  const total = hours * 60 + minutes
  if (total > 14 * 60 || minutes > 59) return undefined
  return sign === '-' ? -total : total
}
