/** All desired state of charge points: another subject is its file and a line here. */

import type { CustomerRequest } from '../../domain/customer-information/records.ts'
import { DAY_MS } from '../../domain/customer-information/rules.ts'
import { isWaiting } from '../../domain/intents/states.ts'
import type { StoredCall } from '../../domain/outgoing-calls/records.ts'
import type { RecordChange, RecordKind } from '../../domain/records/records.ts'
import type { Reservation } from '../../domain/reservations/records.ts'
import { nextCall } from '../../domain/reservations/rules.ts'
import type { CoreContext } from '../context.ts'
import { wakeTime } from '../groups/wake-ups.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'
import { pump, restoreCall, watchExpiry } from '../outbound/outbound.ts'
import { bulkOrders } from './bulk-orders.ts'
import { charging } from './charging/charging.ts'
import { decideNow, isReachable, isUnderWay, whenCommitted } from './decide-now.ts'
import { runningCosts } from './driver/running-costs.ts'
import { tariffs } from './driver/tariffs.ts'
import { intents, releaseIntents } from './intents.ts'
import { fileJobs } from './jobs.ts'
import { localLists } from './local-lists.ts'
import { passwordChanges, profileJobs } from './profile-jobs.ts'
import { reports } from './reports.ts'
import { renewal, signing } from './signing.ts'
import { budgets, stops } from './stops.ts'
import { deadlines, type Subject, stored, type Task } from './subject.ts'

/** Requests customer information once the charge point is connected (DRIVER-I1). */
const customerInformation: Subject<Task & { readonly request: CustomerRequest }> = {
  name: 'customer information',
  records: ['customer_requests'],
  purposes: ['customerInformation'],
  // One at a time: stations answer the newest, or mix their pages.
  due(station) {
    const all = station.state?.records.all('customer_requests') ?? []
    const next = all.find(({ state }) => state === 'requested')
    const isBusy = all.some(({ state }) => state === 'running') || isUnderWay(station, 'customerInformation')
    return next && !isBusy && isReachable(station) ? [{ key: '', request: next }] : []
  },
  async order(context, { id: stationId, version }, { request }) {
    const { requestId, dueAt } = request
    if (!version) return
    const call = version.askForCustomer?.(request)
    if (!call) {
      const reason = `${version.protocol} has no message for it`
      await decideNow(context, stationId, { kind: 'customerInformationAnswered', requestId, answer: 'refused', reason })
      return
    }
    const purpose = { kind: 'customerInformation', requestId } as const
    await orderCall(context, { stationId, call, purpose, expiresAt: dueAt })
  },
  overdue: deadlines('customer_requests', DAY_MS, { kind: 'customerInformationDue' }),
}

/** Makes or cancels reservations (RESERVATION-A1): the same number again replaces (H01.FR.02). */
interface Due extends Task {
  readonly reservation: Reservation
  readonly step: 'reserve' | 'cancel'
}

const reservations: Subject<Due> = {
  name: 'reservations',
  records: ['reservations'],
  purposes: ['reservation'],
  due(station, now) {
    const all = station.state?.records.all('reservations') ?? []
    if (all.length === 0 || !isReachable(station)) return []
    return all.flatMap((reservation): readonly Due[] => {
      const step = nextCall(reservation, now)
      const { reservationId } = reservation
      const isCalled = station.state?.records
        .all('outgoing_calls')
        .some(({ purpose }) => purpose.kind === 'reservation' && purpose.call.reservationId === reservationId)
      return step && !isCalled ? [{ key: String(reservationId), reservation, step }] : []
    })
  },
  dueAgainAt(station, now) {
    const waiting = (station.state?.records.all('reservations') ?? []).filter(
      ({ state, nextAttemptAt }) => (state === 'requested' || state === 'active') && isWaiting(nextAttemptAt, now),
    )
    return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ nextAttemptAt }) => nextAttemptAt))
  },
  async order(context, { id: stationId, version }, { reservation, step }) {
    if (!version) return
    const { reservationId, asked: order } = reservation
    const { reserve, cancel } = version.reservations
    const call = step === 'reserve' ? reserve(reservationId, order) : cancel(reservationId)
    const purpose = { kind: 'reservation', call: { reservationId, step } } as const
    await orderCall(context, { stationId, call, purpose, expiresAt: order.expiresAt })
  },
}

// Calls that no process handles (OCPP-RP15): left over, expired while offline, or with an outcome that was not stored.

/** Times to live have seconds. */
const EXPIRY_SWEEP_MS = 1_000
const SILENCE_SWEEP_MS = 10_000
const LOST_SWEEP_MS = 60_000
/** By then no call of ours is still under way. */
const LOST_AFTER_MS = 120_000

const calls: Subject = {
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

/** LOCATION-A2: after ten minutes of silence an EVSE is shown as unknown, also where it is in no memory. */
const silences: Subject = {
  name: 'silent EVSEs',
  records: [],
  purposes: [],
  due: () => [],
  order: async () => undefined,
  overdue: [
    {
      everyMs: SILENCE_SWEEP_MS,
      stored: stored(
        'location_evses',
        (now) => ({ unknownDueAt: { below: now + 1 } }),
        () => ({ kind: 'evseSilenceDue' }),
      ),
    },
  ],
}

/** In order of precedence. */
export const SUBJECTS: readonly Subject[] = [
  calls,
  stops,
  reservations,
  budgets,
  charging,
  runningCosts,
  fileJobs,
  signing,
  profileJobs,
  passwordChanges,
  bulkOrders,
  renewal,
  tariffs,
  intents,
  reports,
  localLists,
  customerInformation,
  silences,
]

/** What follows a commit, in two tables: by changed record, and by event. */
type Effect = (context: CoreContext, station: Station) => void

const wake: Effect = ({ desired }, station) => desired.reconciler.wake(station)
const placeValues: Effect = ({ desired }, { id }) => desired.placing.wake(id)
const settleConfigurations: Effect = ({ desired }, station) => desired.configurations.look(station)
export const setClock: Effect = ({ wakeUps, settings, clock }, { id, state }) => {
  if (state) wakeUps.set(id, wakeTime(state, settings.sessions, clock.now()))
}

type CoreEvent = 'opened' | 'released' | 'firstMessageSeen' | 'booted' | 'ticked' | 'stopRequested'

const GREETED: readonly Effect[] = [setClock, releaseIntents, settleConfigurations, wake]

const AFTER: Readonly<Record<CoreEvent, readonly Effect[]>> = {
  opened: [({ clock }, { renewal }) => renewal.opened(clock.now()), wake],
  released: [pump, wake],
  firstMessageSeen: GREETED,
  /** SESSION-O4: releases what waited for acceptance. */
  booted: [
    pump,
    ({ clock }, { shown, renewal }) => {
      if (shown?.isExpired) renewal.bootedExpired(clock.now())
    },
    ...GREETED,
  ],
  ticked: [wake],
  stopRequested: [wake],
}

export function afterCommit(context: CoreContext, station: Station, event: CoreEvent): void {
  for (const effect of AFTER[event]) effect(context, station)
}

const AFTER_CHANGE = new Map<RecordKind, readonly Effect[]>([
  ['reports', [placeValues]],
  ['value_batches', [placeValues]],
])
for (const kind of new Set(SUBJECTS.flatMap(({ records }) => records))) {
  const wakeThem: Effect = ({ desired }, station) => desired.reconciler.wake(station, kind)
  AFTER_CHANGE.set(kind, [wakeThem, ...(AFTER_CHANGE.get(kind) ?? [])])
}

export function createFollow(
  context: () => CoreContext,
): (stationId: string, records: readonly RecordChange[]) => void {
  const changed = new Map<string, Set<Effect>>()
  return (stationId, records) => {
    for (const { kind } of records) {
      const effects = AFTER_CHANGE.get(kind)
      if (!effects) continue
      const noted = changed.get(stationId)
      if (noted) {
        for (const effect of effects) noted.add(effect)
        continue
      }
      changed.set(stationId, new Set(effects))
      // Queued behind the decision, so it runs after its commit.
      context().engine.enqueue({
        stationId,
        committed(station) {
          const due = changed.get(stationId) ?? []
          changed.delete(stationId)
          for (const effect of due) effect(context(), station)
        },
        failed: () => changed.delete(stationId),
      })
    }
  }
}
