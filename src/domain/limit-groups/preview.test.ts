import { expect, it } from 'vitest'
import { aLimitGroup } from '../../../test/support/records.ts'
import { allCharging, plan } from './plan.ts'

const evse = (evseId: number, change: object = {}) => ({
  chargePointId: 'CP1',
  evseId,
  group: 'site',
  phases: [0, 1, 2],
  maxAmps: 32,
  isOnline: false,
  clockAheadMs: 0,
  clockAtLeastMs: 0,
  ledger: { fallback: { sent: [] }, lease: { sent: [] } },
  ...change,
})

it('GROUP-H4: with a car everywhere all share the limit, whoever is away or free now', () => {
  const group = aLimitGroup({ fallbackAmps: undefined })
  const connection = {
    groups: [group],
    loads: new Map(),
    externals: new Map(),
    drawn: new Map(),
    voltage: 230,
    evses: [
      evse(1),
      evse(2, { maxAmps: 16 }),
      evse(3, { charge: { id: 'x', startedAt: 1, priority: 0, wantAmps: 6 } }),
    ],
  }
  const { evses } = plan(allCharging(connection, 1000), 1000, 0)
  expect([...evses.values()].map(({ amps }) => amps)).toEqual([22, 16, 22])
})
