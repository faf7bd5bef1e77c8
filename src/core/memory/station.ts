/** A charge point in memory. Only the core writes it; after a failed commit the state is loaded again. */

import type { Draw } from '../../domain/charging/records.ts'
import type { Clock, ShownAtLogin } from '../../domain/ports/core.ts'
import type {
  ChargePointState,
  ChargePointStatus,
  Connector,
  FrozenTariff,
  Session,
  Transaction,
} from '../../domain/ports/sessions.ts'
import type { ChargePoint, LoadedChargePoint } from '../../domain/ports/storage-records.ts'
import { RecordsOfChargePoint } from '../../domain/records/records.ts'
import type { Changes } from '../../domain/sessions/decision.ts'
import { connectorKey } from '../../domain/sessions/records.ts'
import type { TariffVersion } from '../../domain/tariffs/fields.ts'
import type { TariffLocation } from '../../domain/tariffs/places.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { type RefusalCount, RowCount } from '../connections/row-count.ts'
import { ClockWatch } from '../connections/station-clock.ts'
import { type AnsweredRows, RecentAnswers } from '../inbound/recent-answers.ts'
import { type AskedFor, OutgoingQueue } from '../outbound/outgoing-queue.ts'
import { RenewalTimes } from '../reconcile/renewal-times.ts'
import type { StopAttempts } from '../reconcile/stop-attempts.ts'

// OCPP-CN2: an identity whose connections keep replacing each other is shared, or its credentials are stolen.

/** More than this many in a minute raise an alert. */
const ALERT = 10
const WINDOW_MS = 60_000
const AGAIN_MS = 10 * 60_000

export class Replacements {
  #newest: number[] = []
  #sinceAlert = 0
  #alertedAt: number | undefined

  note(now: number): number | undefined {
    this.#sinceAlert++
    this.#newest = [...this.#newest.slice(-ALERT), now]
    const [oldest = now] = this.#newest
    const isOften = this.#newest.length > ALERT && oldest > now - WINDOW_MS && oldest <= now
    // The second comparison: the clock was set back.
    const isDue = this.#alertedAt === undefined || now - this.#alertedAt >= AGAIN_MS || now < this.#alertedAt
    if (!isOften || !isDue) return undefined
    const count = this.#sinceAlert
    this.#alertedAt = now
    this.#sinceAlert = 0
    return count
  }
}

export class Timer {
  #pending: { readonly at: number; readonly cancel: () => void } | undefined

  set(clock: Pick<Clock, 'now' | 'after'>, at: number, run: () => void): void {
    this.cancel()
    const cancel = clock.after(Math.max(0, at - clock.now()), () => {
      this.#pending = undefined
      run()
    })
    this.#pending = { at, cancel }
  }

  setEarlier(clock: Pick<Clock, 'now' | 'after'>, at: number, run: () => void): void {
    if (!this.#pending || at < this.#pending.at) this.set(clock, at, run)
  }

  cancel(): void {
    this.#pending?.cancel()
    this.#pending = undefined
  }
}

/** The newest measurements of each EVSE, for stations that only have limits. */
class Draws {
  /** Lazy: most stations have no limits. */
  #byEvse: Map<number, Draw> | undefined

  of(evseId: number): Draw | undefined {
    if (evseId !== 0) return this.#byEvse?.get(evseId)
    const all = [...(this.#byEvse?.values() ?? [])]
    if (all.length === 0) return undefined
    const amps = all.flatMap((one) => one.amps ?? [])
    return {
      at: Math.min(...all.map(({ at }) => at)),
      ...(amps.length > 0 && { amps: amps.reduce((sum, each) => sum + each, 0) }),
    }
  }

  put(evseId: number, draw: Draw): void {
    this.#byEvse ??= new Map()
    this.#byEvse.set(evseId, draw)
  }
}

/** Late samples and repeated stops concern the newest (SESSION-A8, SESSION-A12); each message scans them all. */
const CLOSED_TRANSACTIONS_KEPT = 2

export class Station {
  readonly id: string
  readonly outgoing = new OutgoingQueue()
  askedFor: AskedFor | undefined
  readonly recent = new RecentAnswers()
  answeredRows: AnsweredRows | undefined
  readonly clock: ClockWatch
  chargePoint: ChargePoint
  /** For a session that starts now (COST-L1). */
  tariff: FrozenTariff | undefined
  /** OCPP21-C9 */
  readonly refusedTariffs = new Set<string>()
  places: readonly TariffLocation[] | undefined
  /** COST-L7: read for the first late message. */
  tariffVersions: readonly TariffVersion[] | undefined
  /** Sessions are settled at completion (COST-L4). */
  automaticSettlement: true | undefined
  #state: StationState | undefined
  accountName: string
  #shown: ShownAtLogin | undefined
  #version: OcppVersion | undefined
  #connection: number | undefined
  #held: number | undefined
  #unheard: number | undefined
  #offlineSince: number | undefined
  #openedAt = 0
  #lastSeenAt: number
  #lastSeenStoredAt: number
  #hasUnacceptedLimits = false
  readonly callTimeout = new Timer()
  readonly expiry = new Timer()
  readonly wake = new Timer()
  /** Requested stops by transaction (SESSION-S10). */
  readonly stops = new Map<string, StopAttempts>()
  readonly renewal = new RenewalTimes()
  readonly draws = new Draws()
  /** The world's change counter when the registration was read. */
  epoch: number
  readonly replacements = new Replacements()
  readonly refusals = new Map<string, RefusalCount>()
  readonly rows = new RowCount()
  readonly isElsewhere: boolean

  constructor(loaded: LoadedChargePoint, epoch: number) {
    this.id = loaded.chargePoint.id
    this.chargePoint = loaded.chargePoint
    this.tariff = loaded.tariff
    this.places = loaded.places
    this.automaticSettlement = loaded.automaticSettlement
    this.accountName = loaded.accountName ?? ''
    this.#state = new StationState(loaded)
    this.clock = new ClockWatch(loaded.status)
    this.#lastSeenAt = loaded.status.lastSeenAt ?? 0
    this.#lastSeenStoredAt = this.#lastSeenAt
    this.epoch = epoch
    this.isElsewhere = loaded.isElsewhere ?? false
  }

  /** Undefined after a failed commit: memory may be ahead of the database. */
  get state(): StationState | undefined {
    return this.#state
  }

  dropState(): void {
    this.#state = undefined
  }

  get connection(): number | undefined {
    return this.#connection
  }

  get version(): OcppVersion | undefined {
    return this.#version
  }

  get openedAt(): number {
    return this.#openedAt
  }

  /** The certificate shown at the login of the current connection (CERT-C15, CERT-C18). */
  get shown(): ShownAtLogin | undefined {
    return this.#shown
  }

  get awaitsFirstMessage(): boolean {
    return this.#connection !== undefined && this.#unheard === this.#connection
  }

  get isHeld(): boolean {
    return this.#connection !== undefined && this.#held === this.#connection
  }

  get offlineSince(): number | undefined {
    return this.#offlineSince
  }

  get lastSeenAt(): number {
    return this.#lastSeenAt
  }

  /** OCPP-RP14: the connection has the limits of an unaccepted charge point. */
  get hasUnacceptedLimits(): boolean {
    return this.#hasUnacceptedLimits
  }

  /** OCPP-CN1: makes the new connection current in one step. @returns the previous one, if still open */
  opened(connection: number, version: OcppVersion, shown: ShownAtLogin | undefined, now: number): number | undefined {
    const replaced = this.#connection
    this.#connection = connection
    this.#unheard = connection
    this.#held = undefined
    this.#version = version
    this.#shown = shown
    this.#offlineSince = undefined
    this.#openedAt = now
    this.#lastSeenAt = now
    if (this.#state) this.#state.registrationStatus = this.registration
    return replaced
  }

  closed(now: number): void {
    this.#connection = undefined
    this.#offlineSince = now
  }

  /** For an intended close: shows the station as offline at once. */
  showOffline(): void {
    this.#offlineSince = 0
  }

  hold(): void {
    this.#held = this.#connection
  }

  release(): boolean {
    const { isHeld } = this
    this.#held = undefined
    return isHeld
  }

  /** @returns whether this is the connection's first message */
  heard(): boolean {
    const { awaitsFirstMessage } = this
    this.#unheard = undefined
    return awaitsFirstMessage
  }

  /** @returns how long no sign of life was stored, in ms */
  seen(now: number): number {
    this.#lastSeenAt = now
    return now - this.#lastSeenStoredAt
  }

  lastSeenStored(): void {
    this.#lastSeenStoredAt = this.#lastSeenAt
  }

  spoke(version: OcppVersion): void {
    this.#version ??= version
  }

  /** @returns whether the limits have changed */
  updateLimits(): boolean {
    const before = this.#hasUnacceptedLimits
    this.#hasUnacceptedLimits = isUnaccepted(this)
    return before !== this.#hasUnacceptedLimits
  }

  cancelTimers(): void {
    this.callTimeout.cancel()
    this.expiry.cancel()
    this.wake.cancel()
  }

  /** A pending station boots again by itself, and a rejected one is sent nothing (SESSION-O4). */
  get neverBooted(): boolean {
    return (
      this.chargePoint.registrationStatus === 'Accepted' &&
      this.state !== undefined &&
      this.state.status.bootedAt === undefined
    )
  }

  /** CERT-C15: counts as pending until it has a new certificate. */
  get registration(): ChargePointState['registrationStatus'] {
    const { registrationStatus } = this.chargePoint
    return this.#shown?.isExpired && registrationStatus === 'Accepted' ? 'Pending' : registrationStatus
  }

  /** @returns whether its labels changed, and with them the selectors that match it (CONFIG-A4), or its tariff */
  register(loaded: LoadedChargePoint, epoch: number): boolean {
    const { chargePoint, tariff, automaticSettlement, accountName = '' } = loaded
    const isOther = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other)
    const isChanged = isOther(chargePoint.labels, this.chargePoint.labels) || isOther(tariff, this.tariff)
    this.chargePoint = chargePoint
    this.tariff = tariff
    this.places = loaded.places
    this.tariffVersions = undefined
    this.automaticSettlement = automaticSettlement
    this.accountName = accountName
    this.epoch = epoch
    this.#state ??= new StationState(loaded)
    this.#state.registrationStatus = this.registration
    this.#state.subjectCheck = chargePoint.subjectCheck
    return isChanged
  }
}

/** OCPP-RP14: never accepted, or not booted since it was set back. */
export function isUnaccepted({ chargePoint, state }: Pick<Station, 'chargePoint' | 'state'>): boolean {
  return chargePoint.registrationStatus !== 'Accepted' && state?.status.bootedAt === undefined
}

export function goneStation(id: string, accountId: string): Station {
  const chargePoint = { id, accountId, securityProfile: 1, registrationStatus: 'Rejected', createdAt: 0 } as const
  return new Station({ chargePoint, status: {}, connectors: [], transactions: [], sessions: [] }, 0)
}

export class StationState implements ChargePointState {
  readonly chargePointId: string
  readonly accountId: string
  registrationStatus: ChargePointState['registrationStatus']
  subjectCheck: ChargePointState['subjectCheck']
  status: ChargePointStatus
  readonly connectors = new Map<string, Connector>()
  readonly transactions = new Map<string, Transaction>()
  readonly sessions = new Map<string, Session>()
  readonly records: RecordsOfChargePoint

  constructor({ chargePoint, status, connectors, transactions, sessions, records }: LoadedChargePoint) {
    this.chargePointId = chargePoint.id
    this.accountId = chargePoint.accountId
    this.registrationStatus = chargePoint.registrationStatus
    this.subjectCheck = chargePoint.subjectCheck
    this.status = status
    this.records = new RecordsOfChargePoint(records)
    this.apply({ connectors, transactions, sessions })
  }

  apply({ status, connectors = [], transactions = [], sessions = [], records }: Changes): void {
    if (status) this.status = status
    if (records) this.records.apply(records)
    for (const connector of connectors) {
      this.connectors.set(connectorKey(connector.evseId, connector.connectorId), connector)
    }
    for (const session of sessions) this.sessions.set(session.id, session)
    for (const transaction of transactions) {
      // `prune` keeps the tail, so a transaction moves there when it closes. Open ones stay in place.
      if (!transaction.open) this.transactions.delete(transaction.transactionId)
      this.transactions.set(transaction.transactionId, transaction)
    }
  }

  /** Forgets closed transactions beyond the newest few, and ended sessions without a reference or a due step. */
  prune(): void {
    const closed = [...this.transactions.values()].filter((transaction) => !transaction.open)
    for (const { transactionId } of closed.slice(0, -CLOSED_TRANSACTIONS_KEPT)) this.transactions.delete(transactionId)
    const referred = new Set([...this.transactions.values()].map((transaction) => transaction.sessionId))
    for (const [id, session] of this.sessions) {
      const ended = session.state === 'completed' || session.state === 'failed'
      const due = session.figuresDueAt ?? session.settlementDueAt
      if (ended && !referred.has(id) && due === undefined) this.sessions.delete(id)
    }
  }
}
