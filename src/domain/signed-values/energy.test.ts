import { expect, it } from 'vitest'
import { BEGIN, END, meterOn, type Reading, signedValue } from '../../../test/support/domain/signed-values/testing.ts'
import { readSignedValue, SignedRecord, viewOf } from './view.ts'

const meter = meterOn('prime256v1')

/** What the records of a session show, and what they say together of its energy. */
async function charge(records: readonly (readonly Reading[] | string)[], sessionKwh?: number) {
  const reads = records.map((one) => {
    const data = typeof one === 'string' ? one : meter.record(one)
    return readSignedValue(signedValue(data), () => undefined)
  })
  const together = new SignedRecord()
  for (const read of reads) together.add(read)
  const views = await Promise.all(reads.map((read) => viewOf(read, together.register)))
  return { shown: views.map(({ energyKwh }) => energyKwh), ...together.summary(sessionKwh) }
}

const code = (register: string) => `01-00:${register}.08.00*FF`
const begin = (register: string, RV: number): Reading => ({ ...BEGIN, RI: code(register), RV })
const end = (register: string, RV: number): Reading => ({ ...END, RI: code(register), RV })

it('SIGNED-V4: a begin and an end with totals and those of the charge showed 100 and 5: of two registers', async () => {
  const registers = [
    [begin('B1', 100), begin('B3', 0)],
    [end('B1', 105), end('B3', 5)],
  ]
  expect(await charge(registers, 5)).toEqual({
    shown: [100, 105],
    hasBegin: true,
    hasEnd: true,
    energyDiffers: false,
  })
  expect(
    await charge(
      registers.map((one) => one.toReversed()),
      5,
    ),
  ).toMatchObject({ shown: [100, 105] })
  expect(await charge([registers.flat()], 5)).toMatchObject({ shown: [105], energyDiffers: false })
})

it('SIGNED-V4: what only one of begin and end has is not shown of either', async () => {
  expect(await charge([[begin('B1', 100), begin('B3', 0)], [end('B3', 5)]], 5)).toMatchObject({ shown: [0, 5] })
  expect(await charge([[begin('B3', 0)], [end('B1', 105), end('B3', 5)]], 5)).toMatchObject({ shown: [0, 5] })
})

it('SIGNED-V4: the difference of registers of export, read first, was taken for the charge’s energy', async () => {
  for (const exported of ['C0', 'C1', 'C2', 'C3', '02', 'C5']) {
    const readings = [begin(exported, 7), begin('B1', 90), end(exported, 7.5), end('B1', 95)]
    expect(await charge([readings], 5)).toMatchObject({ shown: [95], energyDiffers: false })
    expect(await charge([readings], 0.5)).toMatchObject({ energyDiffers: true })
    expect(await charge([[begin(exported, 7), end(exported, 7.5)]], 5)).toEqual({
      shown: [undefined],
      hasBegin: true,
      hasEnd: true,
      energyDiffers: false,
    })
  }
})

it.each([
  [5, false],
  [5.5, false],
  [7, true],
  [0, true],
])('SIGNED-V4: mains B0 100 to 105.5 and car B1 90 to 95: %s kWh differ: %s', async (sessionKwh, energyDiffers) => {
  const readings = [begin('B0', 100), begin('B1', 90), end('B0', 105.5), end('B1', 95)]
  expect(await charge([readings], sessionKwh)).toMatchObject({ shown: [95], energyDiffers })
})

it('SIGNED-V4: a register of a name that says nothing does not excuse what those of import deny', async () => {
  const readings = [begin('98', 0), begin('01', 90), end('98', 7), end('01', 95)]
  expect(await charge([readings], 7)).toMatchObject({ shown: [95], energyDiffers: true })
  expect(await charge([[begin('98', 0), end('98', 7)]], 7)).toMatchObject({ shown: [7], energyDiffers: false })
  expect(await charge([[begin('98', 0), end('98', 7)]], 5)).toMatchObject({ energyDiffers: true })
})

it.each([
  ['01-00:01.08.00*FF', '1-0:1.8.0'],
  ['01-0B:01.08.00*FF', '1-b:1.8.0'],
  ['01-00:b1.08.00*ff', '1-0:B1.8.0*255'],
])('SIGNED-V4: %s and %s are one register', async (one, other) => {
  const records = [[{ ...BEGIN, RI: one }], [{ ...END, RI: other }]]
  expect(await charge(records, 1)).toMatchObject({ shown: [100.25, 110.5], energyDiffers: true })
})

it('SIGNED-V4: registers of another time or tariff are other ones', async () => {
  const records = [[{ ...BEGIN, RI: '1-0:1.8.0*198' }], [{ ...END, RI: '1-0:1.8.0*255' }]]
  expect(await charge(records, 1)).toMatchObject({ energyDiffers: false })
})

it('SIGNED-F4: a register that is left out is that of the reading before', async () => {
  const { RI, RU, ...later } = end('B1', 95)
  expect(await charge([[begin('B0', 100), begin('B1', 90), later, end('B0', 105.5)]], 5)).toMatchObject({
    shown: [95],
    energyDiffers: false,
  })
})

const written = (first: string, last: string, RU = 'kWh') =>
  meter
    .record([
      { ...BEGIN, RU, RV: 'first' },
      { ...END, RU, RV: 'last' },
    ])
    .replace('"first"', first)
    .replace('"last"', last)

it.each([
  ['1.500', '2.000', 0.508, true],
  ['1.500', '2.000', 0.502, false],
  ['"1.500"', '"2.000"', 0.508, true],
  ['1.50', '2.00', 0.508, false],
  ['1.5', '2', 0.508, false],
  ['1.5', '2.000', 0.508, true],
  [' 1.500', '2.000 ', 0.508, true],
  ['1500e-3', '2.0E0', 0.508, true],
  ['0.1500e1', '2', 0.508, true],
  ['0', '0.500', 0.508, true],
])('SIGNED-V5: %s to %s against %s kWh: trailing zeros are digits: differs %s', async (first, last, kwh, differs) => {
  expect(await charge([written(first, last)], kwh)).toMatchObject({
    shown: [Number(last.replaceAll('"', ''))],
    energyDiffers: differs,
  })
})

it('SIGNED-V5: whole watt-hours are three digits', async () => {
  expect(await charge([written('1500', '2000', 'Wh')], 0.508)).toMatchObject({ shown: [2], energyDiffers: true })
})

it('SIGNED-F4: what looks like a register within a text stays text, and a broken number makes no record', async () => {
  const text = JSON.stringify('"RV":1.5}')
  const record = written('1.500', '2.000').replace('"GS":"1"', `"GS":${text}`)
  expect(readSignedValue(signedValue(record), () => undefined).ocmf?.gateway.serialNumber).toBe('"RV":1.5}')
  for (const broken of ['1.', '01', '+1', '1.5.0', '--1'])
    expect(await charge([written(broken, '2')])).toMatchObject({ shown: [undefined] })
})

it('SIGNED-V6: an end that is flagged showed the begin’s register as its own', async () => {
  const flagged = [BEGIN, { ...END, EF: 'E' }]
  const nothing = { shown: [undefined], hasBegin: true, hasEnd: false, energyDiffers: false }
  expect(await charge([flagged], 1)).toEqual(nothing)
  expect(await charge([[BEGIN, { ...END, EF: 'tE' }]], 1)).toEqual(nothing)
  expect(await charge([[BEGIN], [{ ...END, EF: 'E' }]], 1)).toEqual({ ...nothing, shown: [100.25, undefined] })
})

it('SIGNED-V6: a flag for the time leaves the energy as it is', async () => {
  expect(await charge([[BEGIN, { ...END, EF: 't' }]], 1)).toEqual({
    shown: [110.5],
    hasBegin: true,
    hasEnd: true,
    energyDiffers: true,
  })
})

it.each([
  ['a flag', { ...BEGIN, TX: 'C', EF: 'E' }],
  ['an exception', { ...BEGIN, TX: 'X' }],
])('SIGNED-V6: %s during the charge leaves no proof, although the end is good again', async (_, reading) => {
  expect(await charge([[BEGIN, reading, END]], 1)).toMatchObject({
    hasBegin: true,
    hasEnd: false,
    energyDiffers: false,
  })
  expect(await charge([[BEGIN], [reading], [END]], 1)).toMatchObject({ hasEnd: false, energyDiffers: false })
})

it('SIGNED-V6: an exception of the time, and flagged export, are none of the energy', async () => {
  const readings = [BEGIN, { ...BEGIN, TX: 'X', EF: 't' }, { ...begin('C1', 1), TX: 'C', EF: 'E' }, END]
  expect(await charge([readings], 1)).toMatchObject({ hasBegin: true, hasEnd: true, energyDiffers: true })
})

it.each(['N', 'T', 'D', 'F', 'S'])('SIGNED-V6: a register read in the state %s is none', async (ST) => {
  expect(await charge([[BEGIN, { ...END, ST }]], 1)).toEqual({
    shown: [undefined],
    hasBegin: true,
    hasEnd: false,
    energyDiffers: false,
  })
  expect(await charge([[{ ...BEGIN, ST }, END]], 1)).toMatchObject({ shown: [110.5], hasBegin: false, hasEnd: true })
})

it('SIGNED-X1: a begin alone that the message calls the end shows no register of an end', async () => {
  const read = readSignedValue(signedValue(meter.record([BEGIN]), { context: 'Transaction.End' }), () => undefined)
  expect((await viewOf(read)).energyKwh).toBeUndefined()
})
