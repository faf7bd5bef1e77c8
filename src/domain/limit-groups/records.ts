import { integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'
import type { Demand } from './demand.ts'
import type { ExternalState, Strategy } from './group.ts'
import type { Given, Holder } from './ledger.ts'
import type { Power } from './phases.ts'

/** A group as it was ordered; absent members have their defaults (`groupOf`). */
export interface DesiredGroup extends Power {
  readonly selector?: Selector | undefined
  readonly parent?: string | undefined
  readonly phases?: 1 | 3 | undefined
  readonly minAmps?: number | undefined
  readonly minWatts?: number | undefined
  readonly bufferAmps?: number | undefined
  readonly safeAmps?: number | undefined
  readonly fallbackAmps?: number | undefined
  readonly leaseSeconds?: number | undefined
  readonly strategy?: Strategy | undefined
}

/** Groups, by name. */
export const limitGroups = record('limit_groups', {
  key: ['accountId', 'name'],
  columns: {
    accountId: text(),
    name: text(),
    desired: json<DesiredGroup>(),
    revision: integer(),
    createdAt: integer(),
    updatedAt: integer(),
    /** Of the application that ordered it (OIDC-C14). */
    grantId: since(2, optional(text())),
  },
  upgrades: [(older) => older],
})

export type LimitGroup = RecordOf<typeof limitGroups>

/** What the building's meter reads. */
export interface GivenLoad {
  /** One value for each phase of the group. */
  readonly amps?: readonly number[] | undefined
  readonly watts?: number | undefined
  readonly until: number
  readonly excludesCharging?: boolean | undefined
}

/** A limit ordered by an outside party. */
export interface GivenExternal extends Power {
  readonly until: number
  readonly source: string
  readonly heartbeatSeconds?: number | undefined
  readonly failSafe?: Power | undefined
}

/** Inputs that outside parties repeat for a group: only the newest counts. */
export const limitGroupInputs = record('limit_group_inputs', {
  key: ['accountId', 'name', 'kind'],
  columns: {
    accountId: text(),
    name: text(),
    kind: text<'load' | 'external'>(),
    given: json<GivenLoad | GivenExternal>(),
    at: integer(),
  },
})

export type StoredInput = RecordOf<typeof limitGroupInputs>

/** What is known of an EVSE of a group, beside what its station says of itself. */
export interface ShareState extends Omit<Holder, 'maxAmps'> {
  readonly changedAt?: number | undefined
  readonly fallbackChangedAt?: number | undefined
  /** It refused something: it is asked again then. */
  readonly restsUntil?: number | undefined
  /** It booted, or its charge resumed, and may have forgotten everything until then (GROUP-A6). */
  readonly doubtUntil?: number | undefined
  /** The station takes no TxDefaultProfile (GROUP-A3). */
  readonly holdsNoFallback?: boolean | undefined
  /** Readings in a row: above what it may draw (positive), or at its limit (negative). */
  readonly readings?: number | undefined
  readonly readAt?: number | undefined
  readonly settledAt?: number | undefined
  readonly bootedAt?: number | undefined
  /** The charge that it was last seen with, and its turn (GROUP-S3). */
  readonly charge?:
    | {
        readonly id: string
        readonly demand: Demand
        readonly servedSince?: number | undefined
        readonly pausedSince?: number | undefined
      }
    | undefined
}

/** Each EVSE of a group: what it was given outlives the process that gave it (GROUP-A1). */
export const limitShares = record('limit_shares', {
  key: ['accountId', 'chargePointId', 'evseId'],
  columns: {
    accountId: text(),
    chargePointId: text(),
    evseId: integer(),
    name: text(),
    state: json<ShareState>(),
    updatedAt: integer(),
  },
})

export type LimitShare = RecordOf<typeof limitShares>

/** Of one tree of groups: only one plan at a time changes its shares (GROUP-A9). */
export const limitPlans = record('limit_plans', {
  key: ['accountId', 'root'],
  columns: {
    accountId: text(),
    root: text(),
    revision: integer(),
    /** The last news sent about each group (GROUP-H2). */
    told: json<Readonly<Record<string, readonly string[]>>>(),
    at: integer(),
  },
})

export type LimitPlan = RecordOf<typeof limitPlans>

/** What an EVSE drew, and on which phases of the connection, `'13'` for L1 and L3; short, as many are kept. */
export type MinuteDraw = readonly [chargePointId: string, evseId: number, amps: number, phases: string]

/** The course of a group, a row for each minute (GROUP-H1). */
export const limitMinutes = record('limit_minutes', {
  key: ['accountId', 'name', 'at'],
  columns: {
    accountId: text(),
    name: text(),
    at: integer(),
    limitAmps: json<readonly number[]>(),
    allowedAmps: json<readonly number[]>(),
    drawAmps: json<readonly number[]>(),
    loadAmps: optional(json<readonly number[]>()),
    external: optional(json<ExternalState>()),
    /** Those of its own EVSEs that drew anything; those of a group below it stand in its rows. */
    draws: optional(json<readonly MinuteDraw[]>()),
  },
  indexes: [['at']],
  age: 'at',
})

export type LimitMinute = RecordOf<typeof limitMinutes>

/** What an EVSE is to hold by one plan. */
export interface GivenShare {
  readonly evseId: number
  /** The leaf; absent: it belongs to no group any more. */
  readonly group?: string | undefined
  readonly phases?: number | undefined
  readonly fallbackAmps?: number | undefined
  readonly lease?: (Pick<Given, 'amps' | 'afterAmps' | 'seconds'> & { readonly endsAt: number }) | undefined
}

/** A plan gives a charge point what its EVSEs are to hold. */
export interface LimitGroupInput {
  readonly kind: 'sharesGiven'
  readonly revision: number
  readonly shares: readonly GivenShare[]
}
