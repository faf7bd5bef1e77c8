import type { JobAnswer } from '../logs/records.ts'
import type { DailyHours } from '../records/daily-hours.ts'
import { flag, type InputsOf, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'

/** Uploaded firmware, by account; the bytes are a file beside the database. */
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
    sha256: text(),
    /** PEM; present together with the signature, which was checked. */
    certificate: optional(text()),
    signature: optional(text()),
    createdAt: integer(),
    grantId: since(2, optional(text())),
  },
  upgrades: [(older) => older],
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

type UpdateState = 'waiting' | 'running' | 'succeeded' | 'failed' | 'rejected'

/** A status that the charge point reported, as it spelled it, and when (ms since the epoch). */
export interface SeenStatus {
  readonly status: string
  readonly at: number
}

/** Updates of single charge points, by charge point and requestId (FIRMWARE-U1). */
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
    hours: optional(json<DailyHours>()),
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

/** Those in which a campaign is not over. */
export const OPEN_STATES = ['draft', 'running', 'paused', 'stopped'] as const
/** `stopped`: too many failures; `cancelled`: by a caller; `done`: every charge point has reached an end. */
export const CAMPAIGN_STATES = [...OPEN_STATES, 'cancelled', 'done'] as const
export type CampaignState = (typeof CAMPAIGN_STATES)[number]

/** Campaigns: a firmware for many charge points, in waves (FIRMWARE-C1). */
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
    hours: optional(json<DailyHours>()),
    waves: json<readonly string[]>(),
    maxFailureMillionths: integer(),
    soakMs: integer(),
    silenceMs: integer(),
    onlyIdle: flag(),
    retryOffline: flag(),
    /** The wave that it is in, from 1; 0 before its start. */
    wave: integer(),
    soakUntil: optional(integer()),
    createdAt: integer(),
    updatedAt: integer(),
  },
  indexes: [
    ['state', 'updatedAt'],
    ['accountId', 'state', 'id'],
  ],
})

export type Campaign = RecordOf<typeof firmwareCampaigns>

/** When a campaign that its failures had stopped was begun again: those from before it count no more (FIRMWARE-C3). */
export const campaignResumptions = record('campaign_resumptions', {
  key: ['campaignId'],
  columns: { campaignId: text(), at: integer() },
})

/** What became of one charge point of a campaign. */
export const CAMPAIGN_ROW_STATES = [
  'planned',
  'waiting',
  'running',
  'succeeded',
  'failed',
  'rejected',
  'skipped',
  'cancelled',
  'notRecallable',
] as const
export type RowState = (typeof CAMPAIGN_ROW_STATES)[number]

/** The charge points of a campaign, a row each. */
export const campaignRows = record('firmware_campaign_rows', {
  key: ['chargePointId', 'campaignId'],
  columns: {
    chargePointId: text(),
    campaignId: text(),
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

/** What happens to updates of one charge point; rules.ts decides what follows. */
export type FirmwareInput = InputsOf<{
  firmwareOrdered: {
    requestId: number
    campaignId: string
    wave: number
    target: FirmwareTarget
    onlyIdle: boolean
    hours?: DailyHours | undefined
    silenceMs: number
    createdAt: number
    tokenHash: string
  }
  firmwareCallOrdered: { requestId: number }
  firmwareAnswered: { requestId: number; answer: JobAnswer }
  /** The charge point reported; without an id it means the newest one that is open. */
  firmwareStatus: { status: string; requestId?: number | undefined }
  firmwareDue: { requestId: number }
  firmwareRecalled: { requestId: number; into: 'planned' | 'cancelled' }
}>
