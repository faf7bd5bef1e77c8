import { expect, it } from 'vitest'
import { MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { remoteStart } from '../../../../test/support/sessions/orders.ts'
import { aSession } from '../../../../test/support/storage-contract/records.ts'
import type { Session } from '../../ports/sessions.ts'
import { figuresDiffer, representationsDiffer, representSession } from './representation.ts'

const BARE: Session = aSession({ id: 'session-1', accountId: 'account', state: 'pending', createdAt: ZERO })

it('API-G1: what is not known is absent, never null', () => {
  expect(representSession(BARE)).toEqual({ id: 'session-1', evseControllerId: 'CP1', state: 'pending', energyKwh: 0 })
})

it('API-B3, SESSION-S2: every attribute of the description and nothing internal', () => {
  const session: Session = {
    ...BARE,
    state: 'completed',
    energyMilliWh: 12_345_678,
    externalReference: 'order 7',
    cost: { micros: 6_172_839, currency: 'EUR' },
    settlementCount: 2,
    startedAt: ZERO,
    stoppedAt: ZERO + MINUTE,
    endReason: 'interrupted',
    flags: ['inferred', 'estimated'],
    suspendedBy: 'ev',
    tariff: TARIFF,
    remoteStart: remoteStart(0),
    transactionId: '100',
    evseId: 1,
    connectorId: 1,
  }
  expect(representSession(session)).toEqual({
    id: 'session-1',
    evseControllerId: 'CP1',
    state: 'completed',
    externalReference: 'order 7',
    energyKwh: 12.346,
    cost: 6.17,
    currency: 'EUR',
    settlementCount: 2,
    startedAt: '2026-08-01T10:00:00.000Z',
    stoppedAt: '2026-08-01T10:01:00.000Z',
  })
})

it.each([
  [499, 0],
  [500, 0.001],
  [1_499, 0.001],
  [1_500, 0.002],
  [29_000, 0.029],
  [1_005_000_000, 1005],
])('API-G1: %i mWh are %d kWh, rounded half up', (energyMilliWh, energyKwh) => {
  expect(representSession({ ...BARE, energyMilliWh }).energyKwh).toBe(energyKwh)
})

it('API-G1: a cost of zero means free and is shown', () => {
  expect(representSession({ ...BARE, cost: { micros: 0, currency: 'JPY' } })).toMatchObject({
    cost: 0,
    currency: 'JPY',
  })
})

it('COST-CO1: only what the outside can see is a change', () => {
  const costs = (micros: number): Session => ({ ...BARE, cost: { micros, currency: 'EUR' } })
  expect(figuresDiffer({ ...BARE, energyMilliWh: 1_000 }, { ...BARE, energyMilliWh: 1_400 })).toBe(false)
  expect(figuresDiffer({ ...BARE, energyMilliWh: 1_000 }, { ...BARE, energyMilliWh: 1_500 })).toBe(true)
  expect(figuresDiffer(costs(1_000_000), costs(1_004_000))).toBe(false)
  expect(figuresDiffer(costs(1_000_000), costs(1_006_000))).toBe(true)
  expect(figuresDiffer(BARE, costs(0))).toBe(true)
  expect(representationsDiffer(BARE, { ...BARE, flags: ['suspect'], endReason: 'normal' })).toBe(false)
  expect(representationsDiffer(BARE, { ...BARE, stoppedAt: ZERO })).toBe(true)
})
