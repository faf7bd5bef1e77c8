import { expect, it } from 'vitest'
import { coresOfTests, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'

const core = coresOfTests()

it.each([
  ['an answer to a call we do not know', '[3,"nobody",{"secret":1}]'],
  ['an error of a call we do not know', '[4,"nobody","GenericError","",{}]'],
  ['CALLRESULTERROR of OCPP 2.1', '[5,"x","GenericError","",{}]'],
  ['SEND of OCPP 2.1', '[6,"x","NotifyPeriodicEventStream",{}]'],
  ['an unknown message type', '[9,"x","Y",{}]'],
  ['no JSON', '\u0000\u0001\uFFFD'],
])('OCPP-LG1: %s is a row of the log as well', async (_, text) => {
  const { house, station } = await core.boot16('CP-1')
  station.send(text)
  await house.settled()
  const [row] = await house.commands('CP-1')
  expect(row).toMatchObject({ direction: 'in', status: 'error' })
  expect(JSON.parse(row?.request ?? '')).toBe(text)
  // Its connection hears that the next one may come.
  expect(house.done.get(station.connection)).toBe(2)
})

it('OCPP-RP12: a flood of it does not fill the disk, and a row says how much was not kept', async () => {
  const { house, station } = await core.boot16('CP-1')
  const text = `[3,"nobody",{"x":"${'x'.repeat(20_000)}"}]`
  for (let count = 0; count < 1000; count++) station.send(text)
  await station.call('Heartbeat', {})
  house.clock.advance(3_600_000)
  await house.settled()
  const rows = await rowsOf(house, 'CP-1')
  expect(rows.filter(({ method }) => method === 'Unanswered')).toHaveLength(600)
  expect(rows.every(({ request }) => request.length < 10_000)).toBe(true)
  const [reported] = rows.filter(({ method }) => method === 'NotKept')
  expect(JSON.parse(reported?.request ?? '')).toMatchObject({ messages: 400, bytes: 400 * text.length })
  // Later there is room again.
  station.send(text)
  await house.settled()
  expect((await rowsOf(house, 'CP-1')).filter(({ method }) => method === 'Unanswered')).toHaveLength(601)
})

it('OCPP-RP12: a CALL that is nested beyond measure is refused under its own id, and its row is small', async () => {
  const { house, station } = await core.boot16('CP-1')
  station.send(`[2,"deep","DataTransfer",{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`)
  const answer = await station.frame((frame) => frame[1] === 'deep')
  expect(answer).toMatchObject([4, 'deep', 'FormationViolation', 'The message is nested too deeply.', {}])
  const [row] = await house.commands('CP-1')
  expect(row).toMatchObject({ method: 'DataTransfer', messageId: 'deep', status: 'error' })
  expect(row?.request.length).toBeLessThan(5000)
})

it.each([
  ['strict', { 0: 4, 2: 'FormationViolation', 3: 'The message is not UTF-8.' }],
  ['lenient', { 0: 3 }],
] as const)('OCPP-RP1, OCPP-VA1: %s, a CALL that came as no UTF-8 is answered %j', async (validation, expected) => {
  const house = await core({ settings: { validation } })
  const station = await house.boot16('CP-1')
  station.send('\uFFFD[2,"gbk","DataTransfer",{"vendorId":"\uFFFD\uFFFD"}]')
  expect(await station.frame((frame) => frame[1] === 'gbk')).toMatchObject(expected)
  if (validation === 'lenient') {
    expect(await house.commands('CP-1')).toMatchObject([{ schemaErrors: 'The message was not UTF-8.' }, {}])
  }
  // The character itself is as good as any other.
  station.send('[2,"own","DataTransfer",{"vendorId":"\uFFFD"}]')
  expect(await station.frame((frame) => frame[1] === 'own')).toMatchObject({ 0: 3 })
})

it('OCPP-VA1: what the schema says against the answer to one of our calls stands in its row', async () => {
  const { house, station } = await core.boot16('CP-1')
  await answered(house, station, { status: 'Perhaps' })
  const [row] = await house.commands('CP-1')
  expect(row).toMatchObject({
    method: 'Reset',
    status: 'success',
    schemaErrors: '/status is not one of the defined values',
  })
  await answered(house, station, { status: 'Accepted' })
  expect((await house.commands('CP-1'))[0]).not.toHaveProperty('schemaErrors')
})

async function answered(house: TestCore, station: TestStation, answer: object): Promise<void> {
  const before = station.frames.length
  const order = { accountId: 'account-1', chargePointId: 'CP-1', waitMs: 0 }
  await house.core.sendCommand({ ...order, method: 'Reset', request: { type: 'Soft' } })
  const call = await station.frame((frame) => frame[0] === 2 && station.frames.indexOf(frame) >= before)
  station.answer(call, answer)
  await house.settled()
}

/** More than one page of them. */
async function rowsOf(house: TestCore, chargePointId: string) {
  const whole = { fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 5000 }
  return house.store.reads.searchCommands({ chargePointId, ...whole })
}

it('OCPP-RP12, OCPP-RP5: large and small messages of one connection are answered in the order they came', async () => {
  const { house, station } = await core.boot16('CP-1')
  const ids = Array.from({ length: 40 }, (_, number) => `n${number}`)
  for (const [number, id] of ids.entries()) {
    const data = 'x'.repeat(number % 3 === 0 ? 100_000 : 10)
    station.send(JSON.stringify([2, id, 'DataTransfer', { vendorId: 'x', data }]))
  }
  house.core.closed(station.connection)
  await station.frame((frame) => frame[1] === 'n39')
  expect(station.frames.map(([, id]) => id).filter((id) => ids.includes(String(id)))).toEqual(ids)
  expect(house.done.get(station.connection)).toBe(41)
})
