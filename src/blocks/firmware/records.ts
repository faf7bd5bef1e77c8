/** Firmware images, updates of single charge points, and campaigns that order them (FIRMWARE-U1, FIRMWARE-C1). */
import { flag, integer, json, optional, type RecordOf, record, text } from '../../records/record.ts'
import type { Selector } from '../../records/selector.ts'
import type { JobAnswer } from '../logs/records.ts'

export const firmwareImages = record('firmware_images', {
  key: ['accountId', 'id'],
  columns: {
    accountId: text(),
    id: text(),
    version: text(),
    /** Absent: for every model. */
    models: optional(json<readonly string[]>()),
    fileName: text(),
    bytes: integer(),
    /** Hexadecimal. */
    sha256: text(),
    /** PEM; present together with the signature, which was checked. */
    certificate: optional(text()),
    /** Base64. */
    signature: optional(text()),
    createdAt: integer(),
  },
})

export type FirmwareImage = RecordOf<typeof firmwareImages>

/** What a charge point is to run. */
export interface FirmwareTarget {
  readonly version: string
  /** One of `firmwareId` and `location`. */
  readonly firmwareId?: string | undefined
  readonly location?: string | undefined
  readonly certificate?: string | undefined
  readonly signature?: string | undefined
}

/** `{start:"22:00", end:"05:00"}` goes over midnight; `days` are those on which it begins. */
export interface TimeWindow {
  readonly start: string
  readonly end: string
  readonly timeZone: string
  readonly days?: readonly string[] | undefined
}

export type UpdateState = 'waiting' | 'running' | 'succeeded' | 'failed' | 'rejected'

export interface SeenStatus {
  readonly status: string
  readonly at: number
}

export const firmwareUpdates = record('firmware_updates', {
  key: ['chargePointId', 'requestId'],
  columns: {
    chargePointId: text(),
    /** Ours, as the charge point repeats it; above 0. */
    requestId: integer(),
    accountId: text(),
    campaignId: text(),
    wave: integer(),
    target: json<FirmwareTarget>(),
    state: text<UpdateState>(),
    /** The newest one, as the charge point spelled it. */
    status: optional(text()),
    statuses: json<readonly SeenStatus[]>(),
    reason: optional(text()),
    onlyIdle: flag(),
    hours: optional(json<TimeWindow>()),
    isOrdered: flag(),
    /** The campaign takes it back: into what its row becomes, if the charge point has not taken it yet. */
    recalled: optional(text<'planned' | 'cancelled'>()),
    attempts: integer(),
    notBefore: optional(integer()),
    silenceMs: integer(),
    /** It was silent for that long and is asked how far it is. */
    isAsked: flag(),
    tokenHash: text(),
    /** Looked at again then; absent: it is over. */
    dueAt: optional(integer()),
    createdAt: integer(),
    updatedAt: integer(),
  },
  indexes: [['tokenHash'], ['dueAt']],
  loadedWith: 'chargePoint',
})

export type FirmwareUpdate = RecordOf<typeof firmwareUpdates>

export type CampaignState = 'draft' | 'running' | 'paused' | 'stopped' | 'cancelled' | 'done'

export const firmwareCampaigns = record('firmware_campaigns', {
  key: ['accountId', 'id'],
  columns: {
    accountId: text(),
    id: text(),
    /** Whose application made it; absent: the account's own. */
    grantId: optional(text()),
    state: text<CampaignState>(),
    reason: optional(text()),
    selector: json<Selector>(),
    target: json<FirmwareTarget>(),
    models: optional(json<readonly string[]>()),
    hours: optional(json<TimeWindow>()),
    waves: json<readonly string[]>(),
    /** In parts of a million. */
    maxFailureMillionths: integer(),
    soakMs: integer(),
    silenceMs: integer(),
    onlyIdle: flag(),
    retryOffline: flag(),
    /** The wave that it is in, from 1; 0 before its start. */
    wave: integer(),
    /** The wave is over and is watched until then. */
    soakUntil: optional(integer()),
    createdAt: integer(),
    updatedAt: integer(),
  },
  indexes: [['state', 'updatedAt']],
})

export type Campaign = RecordOf<typeof firmwareCampaigns>

export type RowState =
  | 'planned'
  | 'waiting'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'rejected'
  | 'skipped'
  | 'cancelled'
  | 'notRecallable'

export const campaignRows = record('firmware_campaign_rows', {
  key: ['chargePointId', 'campaignId'],
  columns: {
    chargePointId: text(),
    campaignId: text(),
    /** From 1; 0: in none. */
    wave: integer(),
    state: text<RowState>(),
    status: optional(text()),
    reason: optional(text()),
    requestId: optional(integer()),
    updatedAt: integer(),
  },
  indexes: [['campaignId']],
})

export type CampaignRow = RecordOf<typeof campaignRows>

export type FirmwareInput =
  | {
      readonly kind: 'firmwareOrdered'
      readonly requestId: number
      readonly campaignId: string
      readonly wave: number
      readonly target: FirmwareTarget
      readonly onlyIdle: boolean
      readonly hours?: TimeWindow | undefined
      readonly silenceMs: number
      readonly createdAt: number
      readonly tokenHash: string
    }
  /** Its call is committed with this. */
  | { readonly kind: 'firmwareCallOrdered'; readonly requestId: number }
  | { readonly kind: 'firmwareAnswered'; readonly requestId: number; readonly answer: JobAnswer }
  /** The charge point reported; without an id it means the newest one that is open. */
  | { readonly kind: 'firmwareStatus'; readonly status: string; readonly requestId?: number | undefined }
  | { readonly kind: 'firmwareDue'; readonly requestId: number }
  | { readonly kind: 'firmwareRecalled'; readonly requestId: number; readonly into: 'planned' | 'cancelled' }
