/** Reports as large as no charge point should send them (DEVICE-A4, DEVICE-A9). */
import { expect, it } from 'vitest'
import { coresOfTests, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'

const KEY = { chargePointId: 'CP1' }
const MOST = 50_000
const PAGE = 2_000
const LONGEST = 2_500

const entry = (name: string, value: string): object => ({
  component: { name: 'Ctrlr' },
  variable: { name },
  variableAttribute: [{ value, mutability: 'ReadOnly' }],
})

const startCore = coresOfTests({ settings: { asksForReports: true } })
const report = ({ store }: TestCore, id: number) => store.reads.getRecord('reports', { ...KEY, id })

/** Of the report that is asked for after the first boot. */
async function asked(core: TestCore): Promise<{ readonly station: TestStation; readonly id: number }> {
  const station = await core.boot201('CP1')
  core.clock.advance(30_000)
  const call = await station.asked('GetBaseReport')
  station.send(JSON.stringify([3, call[1], { status: 'Accepted' }]))
  return { station, id: (call[3] as { requestId: number }).requestId }
}
const page = (station: TestStation, requestId: number, seqNo: number, tbc: boolean, reportData: readonly object[]) =>
  station.call('NotifyReport', { requestId, seqNo, tbc, generatedAt: '2026-11-21T12:00:00Z', reportData })

it('OCPP-RP13: a name that is longer than OCPP allows is refused with its place, and nothing is sent', async () => {
  const { house: core, station } = await startCore.boot201('CP1')
  const old = await core.boot16('CP2')
  const long = 'x'.repeat(51)
  const component = { name: 'EVSE', evseId: 1, connectorId: 0 }
  const ask = { componentVariables: [{ component, variable: { name: 'Power' } }, { component: { name: long } }] }
  const order = (chargePointId: string) => core.core.orderReport({ accountId: 'account-1', chargePointId, ask })
  expect(await order('CP1')).toMatchObject({
    refused: true,
    status: 400,
    code: 'invalid_request',
    errors: [{ pointer: '/componentVariables/1/component/name' }],
  })
  const variable = { component: { name: 'ChargePoint' }, variable: { name: long } }
  const keys = { accountId: 'account-1', chargePointId: 'CP2', ask: { componentVariables: [variable] } }
  expect(await core.core.orderReport(keys)).toMatchObject({
    errors: [{ pointer: '/componentVariables/0/variable/name' }],
  })
  for (const each of [station, old]) expect(each.frames.filter((frame) => frame[0] === 2)).toEqual([])
})

it('DEVICE-A4, DEVICE-A9: of more than 50,000 variables so many are kept, the rest is said, and others are answered meanwhile', async () => {
  const core = await startCore()
  const { station, id } = await asked(core)
  const other = await core.boot16('CP2')
  const pages = MOST / PAGE + 1
  for (let seqNo = 0; seqNo < pages; seqNo++) {
    const names = Array.from({ length: PAGE }, (_, at) => `V${seqNo * PAGE + at}`)
    const data = names.map((name) => entry(name, name))
    expect((await page(station, id, seqNo, seqNo < pages - 1, data))[0]).toBe(3)
  }
  let answered = 0
  await expect
    .poll(
      async () => {
        expect((await other.call('Heartbeat', {}))[0]).toBe(3)
        const { state } = (await report(core, id)) ?? {}
        if (state === 'running') answered++
        return state
      },
      { timeout: 240_000, interval: 5 },
    )
    .toBe('complete')
  expect(answered).toBeGreaterThan(10)
  expect(await report(core, id)).toMatchObject({ truncated: true, variableCount: MOST + PAGE })
  expect(await core.store.reads.getRecord('device_models', KEY)).toMatchObject({ variableCount: MOST })
  let kept = 0
  for (let after: { chargePointId: string; key: string } | undefined; ; ) {
    const rows = await core.store.reads.listRecords('variables', { where: KEY, limit: 5000, after })
    kept += rows.length
    after = rows.at(-1)
    if (!after) break
  }
  expect(kept).toBe(MOST)
})

it('DEVICE-A9: values are kept as long as the specification allows, and cut beyond', async () => {
  const core = await startCore()
  const { station, id } = await asked(core)
  await page(station, id, 0, true, [entry('Long', 'x'.repeat(LONGEST)), entry('Longer', 'y'.repeat(LONGEST * 4))])
  const many = Array.from({ length: 100 }, (_, at) => entry(`L${at}`, String(at).padEnd(LONGEST, 'z')))
  await page(station, id, 1, false, many)
  await expect.poll(async () => (await report(core, id))?.state).toBe('complete')
  const value = async (name: string) =>
    (await core.store.reads.getRecord('variables', { ...KEY, key: `ctrlr.${name}` }))?.value
  expect(await value('long')).toBe('x'.repeat(LONGEST))
  expect(await value('longer')).toBe('y'.repeat(LONGEST))
  expect(await value('l99')).toBe('99'.padEnd(LONGEST, 'z'))
})

it('DEVICE-A9: a report whose pages never end is given up as incomplete, says so, and is answered to its end', async () => {
  const core = await startCore()
  const { station, id } = await asked(core)
  const pages = [...Array.from({ length: 300 }, (_, at) => at), 9_999, 10_000, 10_001]
  for (const seqNo of pages) {
    expect((await page(station, id, seqNo, true, [entry(`V${seqNo % 7}`, String(seqNo))]))[0]).toBe(3)
  }
  await expect.poll(async () => (await report(core, id))?.state).toBe('incomplete')
  expect(await report(core, id)).toMatchObject({ truncated: true, reason: 'its pages cannot be counted' })
  const rows = await core.store.reads.listRecords('variables', { where: KEY, limit: 50 })
  expect(rows.map(({ key }) => key)).toEqual(Array.from({ length: 7 }, (_, at) => `ctrlr.v${at}`))
  expect(rows.every(({ gone }) => !gone)).toBe(true)
})
