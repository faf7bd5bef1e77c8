/** What is desired of an EVSE, profiles for it, reported ones, and how a station obeys (CHARGING-S1 to CHARGING-S9). */
import { flag, type InputsOf, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Caps } from './caps.ts'
import type {
  ChargingOrder,
  ChargingProfile,
  PlacedProfile,
  ProfileSchedule,
  Purpose,
  RateUnit,
  ReportedSchedule,
} from './profile.ts'

/** By `limit:<name>` (API) or `group:<name>` (limit group). `key`, without caps: a key's value before limits set it. */
export const chargingDemands = record('charging_demands', {
  key: ['chargePointId', 'owner', 'evseId'],
  columns: {
    chargePointId: text(),
    owner: text(),
    /** 0: the station. */
    evseId: integer(),
    caps: json<Caps>(),
    asked: optional(json<unknown>()),
    revision: integer(),
    /** That the station accepted last, and when. */
    appliedRevision: optional(integer()),
    acceptedAt: optional(integer()),
    state: text<'pending' | 'accepted' | 'refused' | 'expired'>(),
    reason: optional(text()),
    /** Whose application it is of: it ends with the grant (OIDC-C13). */
    grantId: optional(text()),
    createdAt: integer(),
    updatedAt: integer(),
  },
  indexes: [['grantId']],
  loadedWith: 'chargePoint',
})

export type ChargingDemand = RecordOf<typeof chargingDemands>

/** `due` is to be sent, `sent` awaits its answer, `stale` may be lost, so is sent again, `clearing` is to go. */
export type ProfileState = 'due' | 'sent' | 'accepted' | 'stale' | 'refused' | 'clearing'

/** Profiles of a station: those desired there, and those that it reported. */
export const chargingProfiles = record('charging_profiles', {
  key: ['chargePointId', 'source', 'id'],
  columns: {
    chargePointId: text(),
    source: text<'desired' | 'reported'>(),
    /** Its profile id; below 0 for what the station reported of others without one. */
    id: integer(),
    evseId: integer(),
    purpose: text<Purpose>(),
    stackLevel: integer(),
    transactionId: optional(text()),
    validFrom: optional(integer()),
    validTo: optional(integer()),
    /** `pilotwire`: made of all demands. `raw`: as a caller gave it. Of a reported one: who set it. */
    owner: text(),
    profile: json<ChargingProfile>(),
    state: text<ProfileState>(),
    /** Of which demands it was made, each with its revision. */
    basis: optional(text()),
    /** In which form it was sent last (forms.ts). */
    form: optional(text()),
    refusedForms: optional(json<readonly string[]>()),
    reason: optional(text()),
    attempts: integer(),
    nextAttemptAt: optional(integer()),
    acceptedAt: optional(integer()),
    grantId: optional(text()),
    updatedAt: integer(),
  },
  indexes: [['grantId']],
  loadedWith: 'chargePoint',
})

export type StoredProfile = RecordOf<typeof chargingProfiles>

/** What a station says of its smart charging; absent: it did not say. */
export interface ChargingAbilities {
  readonly units?: readonly RateUnit[] | undefined
  readonly maxPeriods?: number | undefined
  readonly maxStackLevel?: number | undefined
  readonly smartCharging?: boolean | undefined
  /** OCPP 2.1; absent: it was not asked. */
  readonly dynamic?: boolean | undefined
  /** Of others: profiles of ours have greater ids (OCPP 2.1 K01.FR.81). */
  readonly maxExternalId?: number | undefined
  readonly purposes?: readonly string[] | undefined
}

/** What is to be said of a limit. */
export const VERDICTS = ['proved', 'ignored', 'limitedElsewhere', 'pending'] as const
export type Verdict = (typeof VERDICTS)[number]

/** Whether an EVSE keeps to what was accepted (CHARGING-S6). */
export interface Proof {
  readonly verdict: Verdict
  readonly at: number
  readonly next?: 'schedule' | 'current' | undefined
  readonly dueAt?: number | undefined
  readonly attempts: number
  readonly told?: ReportedSchedule | undefined
  /** Readings above what is allowed, in a row. */
  readonly exceeded?: number | undefined
  readonly drawAmps?: number | undefined
}

/** What readings showed of the charge of a transaction. */
export interface ShownDraw {
  readonly transactionId: string
  readonly phases: number
  readonly at: number
  /** Direct current: its amperes are those of a battery. */
  readonly isDirect?: true | undefined
}

/** What is known of how a station charges under control. */
export const chargingStations = record('charging_stations', {
  key: ['chargePointId'],
  columns: {
    chargePointId: text(),
    /** Absent: not asked yet with this firmware. */
    abilities: optional(json<ChargingAbilities>()),
    firmwareVersion: optional(text()),
    /** What it holds was read, or cannot be. */
    isKnown: flag(),
    /** What others than we set is to be removed, once it is read. */
    clearsForeign: flag(),
    reading: optional(
      json<{
        readonly requestId: number
        readonly askedAt: number
        readonly tries: number
        readonly found: readonly ReportedProfile[]
        /** Another party asked for it, and perhaps not for all. */
        readonly isPart?: true | undefined
      }>(),
    ),
    nextRequestId: integer(),
    isUnsupported: flag(),
    /** The value of the key that limits it instead. */
    keyAmps: optional(integer()),
    attempts: integer(),
    nextAttemptAt: optional(integer()),
    /** By EVSE. */
    proofs: json<Readonly<Record<string, Proof>>>(),
    /** By EVSE: when its charge went on after a pause. */
    resumedAt: json<Readonly<Record<string, number>>>(),
    /** By EVSE: the transaction for which the car reported its needs, and when. */
    needs: json<Readonly<Record<string, { readonly transactionId?: string | undefined; readonly at: number }>>>(),
    /** By EVSE: on how many phases the charge of a transaction showed that it draws (GROUP-P3). */
    drawsOn: since(2, optional(json<Readonly<Record<string, ShownDraw>>>())),
    updatedAt: integer(),
  },
  upgrades: [(older) => older],
  loadedWith: 'chargePoint',
})

export type ChargingStation = RecordOf<typeof chargingStations>

/** How connectors are wired to the connection that feeds them. */
export interface ConnectorWiring {
  readonly evseId?: number | undefined
  readonly connectorId: number
  /** OCPP's notation: `RST`, `RTS`, `SRT` … */
  readonly phaseRotation?: string | undefined
  readonly phases?: number | undefined
  readonly maxAmps?: number | undefined
}

/** Wiring of each charge point. */
export const wirings = record('wirings', {
  key: ['chargePointId'],
  columns: {
    chargePointId: text(),
    connectors: json<readonly ConnectorWiring[]>(),
    /** Greater ones first, where power is shared. */
    priority: optional(integer()),
    updatedAt: integer(),
  },
  loadedWith: 'chargePoint',
})

export type Wiring = RecordOf<typeof wirings>

/** Forms that stations of a model refused before they took another one (CHARGING-S5). */
export const chargingForms = record('charging_forms', {
  key: ['accountId', 'vendor', 'model', 'firmwareVersion'],
  columns: {
    accountId: text(),
    vendor: text(),
    model: text(),
    firmwareVersion: text(),
    refused: json<RefusedForms>(),
    updatedAt: integer(),
  },
  // Earlier versions believed one refusal for ever.
  upgrades: [(older) => ({ ...older, refused: {} })],
})

/** What an account says of a model, whatever its stations announce. */
export const modelAbilities = record('model_abilities', {
  key: ['accountId', 'vendor', 'model'],
  columns: {
    accountId: text(),
    vendor: text(),
    model: text(),
    /** A configuration key that takes a limit in amperes: for stations without smart charging. */
    limitKey: optional(text()),
    abilities: json<Readonly<Record<string, boolean>>>(),
    createdAt: integer(),
    updatedAt: integer(),
  },
})

export type ModelAbilities = RecordOf<typeof modelAbilities>

/** A profile as the station reported it. */
export interface ReportedProfile extends PlacedProfile {
  readonly source: string
}

/** One thing to send, or to look at. */
export type ChargingCall =
  /** `isForced`: the account says that it has smart charging, whatever it answers. */
  | { readonly step: 'abilities'; readonly isForced?: true | undefined }
  | { readonly step: 'read'; readonly requestId: number }
  | {
      readonly step: 'set'
      readonly evseId: number
      readonly profileId: number
      readonly form: string
      readonly refused?: readonly string[] | undefined
      /** An update of a Dynamic profile that it holds. */
      readonly isUpdate?: true | undefined
    }
  | { readonly step: 'clear'; readonly evseId: number; readonly profileId: number }
  /** `byOne`: it reported what it holds; else all of it goes. */
  | { readonly step: 'clearForeign'; readonly byOne: boolean }
  | { readonly step: 'prove'; readonly evseId: number }
  /** A configuration key of a station that has no smart charging: set, read before that, given back afterwards. */
  | { readonly step: 'key'; readonly key: string; readonly amps: number }
  | { readonly step: 'keyRead' | 'keyRestore'; readonly key: string }

/** What a station answered to one of them. */
export type ChargingAnswer =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused'; readonly reason: string; readonly isUnsupported: boolean }
  /** It may have arrived or not; `waitMs`: the station takes no more before. */
  | {
      readonly outcome: 'failed'
      readonly reason: string
      readonly isUnsent: boolean
      readonly waitMs?: number | undefined
    }

/** Inputs of rules.ts. */
export type ChargingInput = InputsOf<{
  /** In one commit; without caps the demand is taken back. */
  chargingDemanded: {
    demands: readonly {
      readonly owner: string
      readonly evseId: number
      readonly caps?: Caps | undefined
      readonly asked?: unknown
      readonly grantId?: string | undefined
    }[]
  }
  /** A profile as a caller gave it (`raw`). */
  rawProfileRequested: { evseId: number; profile: ChargingProfile; grantId?: string | undefined }
  /** Without ids and `foreign`: all raw ones. */
  profilesWithdrawn: { ids?: readonly number[] | undefined; foreign?: true | undefined }
  /** A call for it is committed. */
  chargingSent: { call: ChargingCall; row?: StoredProfile | undefined }
  chargingAnswered: {
    call: ChargingCall
    answer: ChargingAnswer
    abilities?: ChargingAbilities | undefined
    reported?: ReportedSchedule | undefined
    value?: string | undefined
  }
  /** The charge point reported its EVSEs, and this is none of them (CHARGING-S10). */
  evseMissing: { evseId: number }
  formsExhausted: { row: StoredProfile }
  /** A minute after it was accepted, or a reading above what is allowed. */
  currentSeen: { evseId: number; draw: Draw | undefined }
  phasesSeen: { evseId: number; phases: number; isDirect?: true | undefined }
  /** A page of ReportChargingProfiles. */
  profilesReported: { requestId?: number | undefined; isLast: boolean; profiles: readonly ReportedProfile[] }
  /** NotifyChargingLimit; without schedules that source limits no more (ClearedChargingLimit), without EVSE nowhere. */
  externalLimitReported: {
    source: string
    evseId?: number | undefined
    schedules: readonly ChargingProfile['schedules'][number][]
  }
  chargingNeedsReported: { evseId: number }
  /** The station asks for the present limit of a Dynamic profile (OCPP 2.1 PullDynamicScheduleUpdate). */
  dynamicSchedulePulled: { profileId: number }
  /** What the car is going to draw (2.0.1 NotifyEVChargingSchedule). */
  carScheduleReported: { evseId: number; schedule?: ProfileSchedule | undefined }
  /** The station took a command about profiles. */
  profilesMeddled: { order: ChargingOrder }
  /** The abilities of its model were set: what it could not do is tried again. */
  chargingModelChanged: unknown
  wiringSet: { connectors?: readonly ConnectorWiring[] | undefined; priority?: number | undefined }
}>

/** What was measured last at an EVSE. */
export interface Draw {
  readonly at: number
  /** The largest phase. */
  readonly amps?: number | undefined
  readonly phaseAmps?: readonly (number | undefined)[] | undefined
  readonly watts?: number | undefined
  readonly phases?: number | undefined
  /** It charges with direct current (GROUP-P4). */
  readonly isDirect?: true | undefined
  /** Current.Offered, or Power.Offered over its phases. */
  readonly offeredAmps?: number | undefined
}

// What a model is believed to refuse, by what its stations refused (CHARGING-S5).

/** A station refused a form, and took another one of the same. */
interface SeenRefusal {
  readonly chargePointId: string
  readonly at: number
}

/** Of a model, by form. */
type RefusedForms = Readonly<Record<string, readonly SeenRefusal[]>>

/** Then it is tried again. */
const BELIEVED_MS = 86_400_000
/** A station that refuses something by chance does so again soon. */
const REPEATED_MS = 60_000
const MAX_SEEN = 4

/** Adds refusals that were just seen. */
export function withRefusals(
  before: RefusedForms,
  forms: readonly string[],
  chargePointId: string,
  now: number,
): RefusedForms {
  const seen = (form: string) => [...(before[form] ?? []), { chargePointId, at: now }].slice(-MAX_SEEN)
  return { ...before, ...Object.fromEntries(forms.map((form) => [form, seen(form)])) }
}

/** One refusal may be chance: another station, or the same one later, must say so, too. */
export function believedRefusals(refused: RefusedForms, now: number): readonly string[] {
  return Object.entries(refused).flatMap(([form, seen]) => {
    const recent = seen.filter(({ at }) => Math.abs(now - at) < BELIEVED_MS)
    const [first] = recent
    const isSaidAgain = recent.some(
      ({ chargePointId, at }) => chargePointId !== first?.chargePointId || at - first.at >= REPEATED_MS,
    )
    return isSaidAgain ? [form] : []
  })
}
