/**
 * Calls that no process handles (OCPP-RP15): left over, expired while offline, or with an outcome that was not stored.
 */
import type { StoredCall } from '../../domain/outgoing-calls/records.ts'
import type { Station } from '../memory/station.ts'
import { watchExpiry } from '../outbound/outbound.ts'
import { restoreCall } from '../outbound/restore-calls.ts'
import { whenCommitted } from './decide-now.ts'
import { stored } from './stored.ts'
import type { Subject } from './subject.ts'

/** Times to live have seconds. */
const EXPIRY_SWEEP_MS = 1_000
const LOST_SWEEP_MS = 60_000
/** By then no call of ours is still under way. */
const LOST_AFTER_MS = 120_000

export const calls: Subject = {
  name: 'outgoing calls',
  records: [],
  purposes: [],
  due: (station, now) => (lostCalls(station, now).length > 0 ? [{ key: '' }] : []),
  async order(context, { id }) {
    // An outcome that is about to be stored comes first.
    await whenCommitted(context, id)
    const station = context.stations.known(id)
    if (!station) return
    for (const call of lostCalls(station, context.clock.now())) restoreCall(context, station, call)
    watchExpiry(context, station)
  },
  interrupted: stored('outgoing_calls', () => ({ sentAt: { from: 0 } })),
  overdue: [
    { everyMs: EXPIRY_SWEEP_MS, stored: stored('outgoing_calls', (now) => ({ expiresAt: { below: now + 1 } })) },
    { everyMs: LOST_SWEEP_MS, stored: stored('outgoing_calls', (now) => ({ sentAt: { below: now - LOST_AFTER_MS } })) },
  ],
}

function lostCalls({ state, outgoing }: Station, now: number): readonly StoredCall[] {
  const all = state?.records.all('outgoing_calls') ?? []
  return all.filter(
    ({ id, sentAt, expiresAt = now }) => (sentAt ?? expiresAt) <= now - LOST_AFTER_MS && !outgoing.has(id),
  )
}
