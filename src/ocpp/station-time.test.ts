import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll, forRuns } from '../../test/support/property.ts'
import { PLAIN_TIME, parseStationTime, stationTime } from './station-time.ts'

const NOON = Date.UTC(2024, 3, 26, 12, 0, 0)
const RECEIVED = Date.UTC(2024, 3, 26, 13, 0, 0)

it.each([
  ['2024-04-26T12:00:00Z', NOON],
  ['2024-04-26T12:00:00.000Z', NOON],
  ['2024-04-26T12:00:00.5Z', NOON + 500],
  ['2024-04-26T12:00:00,25Z', NOON + 250],
  ['2024-04-26T12:00:00.123456789Z', NOON + 123],
  ['2024-04-26T12:00:00.Z', NOON],
  ['2024-04-26t12:00:00z', NOON],
  ['2024-04-26T14:00:00+02:00', NOON],
  ['2024-04-26T14:00:00+0200', NOON],
  ['2024-04-26T14:00:00+02', NOON],
  ['2024-04-26T06:30:00-05:30', NOON],
  ['2024-04-26 12:00:00', NOON],
  ['2024-04-26 14:00:00 +0200', NOON],
  ['2024-04-26T12:00:00', NOON],
  ['2024-04-26T12:00', NOON],
  ['2024-04-26T12:00Z', NOON],
  [' 2024-04-26T12:00:00Z ', NOON],
  ['2024-04-25T24:00:00Z', Date.UTC(2024, 3, 26)],
  ['2024/04/26 12:00:00', NOON],
  ['2024.04.26T12:00:00Z', NOON],
  ['2024-4-26T12:0:0Z', NOON],
  ['2024-04-26T12:00:00.000+00:00Z', NOON],
  ['2024-04-26 12:00:00 UTC', NOON],
  ['2024-04-26T12:00:00GMT', NOON],
  ['20240426T120000Z', NOON],
  ['2024-04-26T12:00:00Z\u0000\u0000', NOON],
  ['20240426T140000.500+0200', NOON + 500],
  ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  [String(NOON / 1000), NOON],
  [`${NOON / 1000}.75`, NOON + 750],
  [String(NOON), NOON],
])('OCPP-DR13, OCPP-VA3: %s is a time', (text, expected) => {
  expect(parseStationTime(text)).toBe(expected)
})

it.each([
  '',
  'now',
  'null',
  '2024-04-26',
  '26.04.2024 12:00:00',
  '2024-04/26 12:00:00',
  '2024-04-26T12:00:00+Z',
  '20240426',
  '20241326T120000Z',
  '2024-13-01T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '2024-04-31T00:00:00Z',
  '2024-04-26T25:00:00Z',
  '2024-04-26T24:00:01Z',
  '2024-04-26T12:60:00Z',
  '2024-04-26T12:00:61Z',
  '2024-04-26T12:00:00+15:00',
  '2024-04-26T12:00:00+02:60',
  '2024-04-26T12:00:00Europe/Berlin',
  '0001-01-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  // Five digits of a year are no time of RFC 3339.
  '9999-12-31T23:59:59-14:00',
  '12345',
  '-1714132800',
  '123456789012345',
  '0x1F',
])('OCPP-DR13: %j is no time', (text) => {
  expect(parseStationTime(text)).toBeUndefined()
})

it('OCPP-DR13: every instant survives its ISO text, in any zone', () => {
  const instant = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) })
  const zone = fc.integer({ min: -14 * 60, max: 14 * 60 })
  forAll(instant, zone, (at, minutes) => {
    expect(parseStationTime(new Date(at).toISOString())).toBe(at)
    const size = Math.abs(minutes)
    const suffix = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
    const local = new Date(at + minutes * 60_000).toISOString().replace('Z', suffix)
    expect(parseStationTime(local)).toBe(at)
  })
})

it('OCPP-DR13: a time in the plain form is the one that any other form gives, and none that the schema refuses', () => {
  const isTime = new Ajv({ strict: false }).addFormat('time', fullFormats['date-time']).compile({ format: 'time' })
  const instant = fc.date({ min: new Date('1990-01-01'), max: new Date('2150-01-01'), noInvalidDate: true })
  const change = fc.record({ at: fc.nat(23), to: fc.constantFrom(...'0123456789-:.TtZz +') })
  const plain = fc.tuple(instant, fc.boolean(), fc.array(change, { maxLength: 3 })).map(([date, hasMs, changes]) => {
    const text = hasMs ? date.toISOString() : date.toISOString().replace(/\.\d+/, '')
    return changes.reduce((changed, { at, to }) => changed.slice(0, at) + to + changed.slice(at + 1), text)
  })
  forRuns(2000)(plain, (text) => {
    expect(parseStationTime(text)).toBe(parseStationTime(` ${text}`))
    if (PLAIN_TIME.test(text)) expect(isTime(text)).toBe(true)
  })
})

it('OCPP-DR13: hostile text never throws and never takes long', () => {
  forAll(fc.string(), (text) => {
    const at = parseStationTime(text)
    expect(at === undefined || Number.isInteger(at)).toBe(true)
  })
  expect(parseStationTime(`2024-04-26${' '.repeat(1_000_000)}`)).toBeUndefined()
})

it('ENERGY-W1: stationTime: keeps the station’s time, our receipt time and the text', () => {
  expect(stationTime('2024-04-26T14:00:00+02', RECEIVED)).toEqual({
    occurredAt: NOON,
    receivedAt: RECEIVED,
    original: '2024-04-26T14:00:00+02',
  })
})

it('ENERGY-W1: stationTime: no time at all is our receipt time and no fault', () => {
  expect(stationTime(undefined, RECEIVED)).toEqual({ occurredAt: RECEIVED, receivedAt: RECEIVED })
  expect(stationTime(null, RECEIVED)).toEqual({ occurredAt: RECEIVED, receivedAt: RECEIVED })
})

it('OCPP-VA3: stationTime: a JSON number is an epoch in seconds or milliseconds', () => {
  expect(stationTime(NOON / 1000, RECEIVED)).toMatchObject({ occurredAt: NOON, original: String(NOON / 1000) })
  expect(stationTime(NOON, RECEIVED)).toMatchObject({ occurredAt: NOON, original: String(NOON) })
})

it.each([
  ['unreadable', 'soon'],
  ['empty', ''],
  ['before 2020', '2019-12-31T23:59:59Z'],
  ['a clock never set', '1970-01-01T00:00:12Z'],
  ['more than a day ahead', '2024-04-27T13:00:00.001Z'],
])('ENERGY-W2: stationTime: %s becomes our receipt time and is marked', (_, text) => {
  expect(stationTime(text, RECEIVED)).toEqual({
    occurredAt: RECEIVED,
    receivedAt: RECEIVED,
    original: text,
    repaired: true,
  })
})

it.each([
  ['a queue replayed after years', '2020-01-01T00:00:00Z'],
  ['a day ahead', '2024-04-27T13:00:00Z'],
])('ENERGY-W2: stationTime: %s is legal', (_, text) => {
  expect(stationTime(text, RECEIVED)).toEqual({ occurredAt: Date.parse(text), receivedAt: RECEIVED, original: text })
})

it('ENERGY-W2: stationTime: neither nested JSON nor a megabyte of text does harm', () => {
  let nested: unknown = []
  for (let depth = 0; depth < 100_000; depth++) nested = [nested]
  expect(stationTime(nested, RECEIVED)).toEqual({ occurredAt: RECEIVED, receivedAt: RECEIVED, repaired: true })
  expect(stationTime('9'.repeat(1_000_000), RECEIVED).original).toHaveLength(64)
  forAll(fc.jsonValue(), (value) => {
    expect(Number.isInteger(stationTime(value, RECEIVED).occurredAt)).toBe(true)
  })
})

function two(value: number): string {
  return String(value).padStart(2, '0')
}
