import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { doorOpened } from '../../../test/support/domain/events/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import type { Clock } from '../../domain/ports/core.ts'
import type { CoreSettings } from '../core-settings.ts'
import { StationState } from '../memory/station.ts'
import type { Stations } from '../memory/stations.ts'
import { createApplied } from './applied.ts'
import type { WakeUps } from './wake-ups.ts'

const NOW = Date.UTC(2026, 7, 1)

it('HOOK-E1: what a decision says happened is stored with the message that it happened in', () => {
  const chargePoint = aChargePoint({
    securityProfile: 0 as const,
    registrationStatus: 'Accepted' as const,
    createdAt: NOW,
  })
  const state = new StationState({ chargePoint, status: {}, connectors: [], transactions: [], sessions: [] })
  const applied = createApplied({
    stations: {} as Stations,
    clock: { now: () => NOW } as Clock,
    random: randomBytes,
    wakeUps: {} as WakeUps,
    settings: { figuresIntervalMs: 0 } as CoreSettings,
    follow: () => undefined,
  })
  const events = [doorOpened.of({ chargePointId: 'CP1', door: 2 })]
  const station = { id: 'CP1', state } as Parameters<typeof applied>[0]
  const decision = { outcome: {}, changes: { events } } as Parameters<typeof applied>[1]
  expect(applied(station, decision).events).toMatchObject([
    { type: 'door.opened', accountId: 'A', chargePointId: 'CP1', subject: 'CP1', kind: 'figures', time: NOW },
  ])
  expect(applied(station, { ...decision, changes: {} }).events).toBeUndefined()
})
