import { expect, it } from 'vitest'
import { coresOfTests, type TestCore } from '../../../test/support/core/testing.ts'
import { aConfiguration } from '../../../test/support/records.ts'
import { namesOfConfiguration } from '../../domain/configuration/desired-by-account.ts'
import type { Configuration } from '../../domain/configuration/records.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'

const MANY = 85

const variables = Array.from({ length: 500 }, (_, at) => ({
  component: { name: 'Ctrlr' },
  variable: { name: `V${at}` },
  attribute: 'Actual',
  value: '1',
}))
const configuration = (name: string, change: Partial<Configuration> = {}): Configuration =>
  aConfiguration(name, { selector: { ids: ['CP1'] }, variables, ...change })

const startCore = coresOfTests()

/** What the core reads of configurations, and how many intents each commit has, from now on. */
function watched({ coreStore }: TestCore) {
  const { listRecords, commit } = coreStore
  const seen = { read: 0, committed: [] as number[] }
  coreStore.listRecords = (async (kind, query) => {
    const rows = await listRecords(kind, query)
    if (kind === 'configurations') seen.read += rows.length
    return rows
  }) as CoreStore['listRecords']
  coreStore.commit = (group) => {
    const intents = group.flatMap(({ records = [] }) => records.filter(({ kind }) => kind === 'intents'))
    if (intents.length > 0) seen.committed.push(intents.length)
    return commit(group)
  }
  return seen
}
const put = async ({ core, store }: TestCore, changed: Configuration, before?: Configuration): Promise<void> => {
  await store.writes.putRecords('configurations', [changed])
  await core.configurationsChanged('account-1', { kind: 'configurations', name: changed.name })
  const names = [...new Set([changed, ...(before ? [before] : [])].flatMap(namesOfConfiguration))]
  await core.settleConfigurations({ accountId: 'account-1', chargePointIds: ['CP1'], names })
}
const desired = async ({ store }: TestCore) => {
  const all = await store.reads.listRecords('intents', { where: { chargePointId: 'CP1' }, limit: 1000 })
  return new Map(all.map(({ key, desired: value, source }) => [key, [value, source?.configuration]]))
}
async function crowded(core: TestCore): Promise<void> {
  const all = Array.from({ length: MANY }, (_, at) => configuration(`c${at}`, { updatedAt: at }))
  await core.store.writes.putRecords('configurations', all)
  const station = await core.connect('CP1', 'ocpp2.0.1')
  const chargingStation = { vendorName: 'Acme', model: 'Two' }
  await station.call('BootNotification', { reason: 'PowerUp', chargingStation })
  await core.core.settleConfigurations({ accountId: 'account-1', chargePointIds: ['CP1'] })
  expect((await desired(core)).size).toBe(500)
}

it('CONFIG-A12: a change reads the one that was changed, not the 85 others, and is stored in slices', async () => {
  const core = await startCore()
  await crowded(core)
  const seen = watched(core)
  await put(core, configuration('c3', { updatedAt: 1000 }))
  expect(seen.read).toBe(1)
  // Of all 500 another configuration decides now. What the charge point is sent meanwhile are commits of their own.
  expect(Math.max(...seen.committed)).toBeLessThanOrEqual(100 + 20)
  expect(seen.committed.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(500)
  expect(new Set([...(await desired(core)).values()].map(([, by]) => by))).toEqual(new Set(['c3']))
})

it('CONFIG-A12: a change of one setting decides on that one, and what is set no more falls to the next', async () => {
  const core = await startCore()
  await crowded(core)
  const seen = watched(core)
  const [first] = configuration('').variables
  if (!first) throw new Error('There is one.')
  const small = configuration('small', { priority: 5, variables: [{ ...first, value: '2' }] })
  await put(core, small)
  expect((await desired(core)).get('Ctrlr.V0')).toEqual(['2', 'small'])
  await core.store.writes.removeRecords('configurations', [{ accountId: 'account-1', name: 'small' }])
  await core.core.configurationsChanged('account-1', { kind: 'configurations', name: 'small' })
  const names = namesOfConfiguration(small)
  await core.core.settleConfigurations({ accountId: 'account-1', chargePointIds: ['CP1'], names })
  expect((await desired(core)).get('Ctrlr.V0')).toEqual(['1', `c${MANY - 1}`])
  expect(seen.read).toBe(1)
})

it('CONFIG-A12: a charge point that reconnects is not looked at whole again where nothing was changed', async () => {
  const core = await startCore()
  await crowded(core)
  const seen = watched(core)
  const again = await core.connect('CP1', 'ocpp2.0.1')
  await again.call('Heartbeat', {})
  await core.core.settleConfigurations({ accountId: 'account-1', chargePointIds: ['CP1'], names: [] })
  expect(seen.read).toBe(0)
  expect(core.logged.filter(({ level }) => level !== 'info')).toEqual([])
})

it('INTENT-A8: configurations that want too much are refused whole, and what was wanted stays', async () => {
  const core = await startCore()
  await crowded(core)
  const [first] = configuration('').variables
  if (!first) throw new Error('There is one.')
  const variables = Array.from({ length: 1501 }, (_, at) => ({ ...first, variable: { name: `W${at}` } }))
  await put(core, configuration('too much', { variables }))
  const found = await desired(core)
  expect([found.size, found.has('Ctrlr.W0')]).toEqual([500, false])
  expect(core.logged).toContainEqual({ level: 'warn', message: 'too many settings configured for a station' })
})
