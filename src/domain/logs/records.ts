import { flag, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'

/** Which log is asked for; 1.6 without its security extension has diagnostics alone. */
export type LogType = 'diagnostics' | 'security'
/** From the order until the file is here or will not come. */
export type LogState = 'requested' | 'uploading' | 'uploaded' | 'failed' | 'rejected'

interface LogFile {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  readonly storedAt: number
}

/** Logs that were asked of charge points, by charge point and requestId (FIRMWARE-D1). */
export const logRequests = record('log_requests', {
  key: ['chargePointId', 'requestId'],
  columns: {
    chargePointId: text(),
    /** Ours, as the charge point repeats it; above 0. */
    requestId: integer(),
    accountId: text(),
    type: text<LogType>(),
    fromAt: optional(integer()),
    toAt: optional(integer()),
    state: text<LogState>(),
    /** The newest one of the charge point, as it spelled it. */
    status: optional(text()),
    reason: optional(text()),
    isOrdered: flag(),
    isAccepted: flag(),
    attempts: integer(),
    notBefore: optional(integer()),
    tokenHash: text(),
    /** Its address answers 404 from then on. */
    expiresAt: integer(),
    /** Looked at again then; absent: nothing is waited for. */
    dueAt: optional(integer()),
    createdAt: integer(),
    updatedAt: integer(),
    file: optional(json<LogFile>()),
    /** Whose application asked for it; absent: the account's own. */
    grantId: since(2, optional(text())),
  },
  indexes: [['tokenHash'], ['dueAt']],
  loadedWith: 'chargePoint',
  upgrades: [(older) => older],
})

export type LogRequest = RecordOf<typeof logRequests>

/** What the answer to a call says, whatever version it was. */
export interface JobAnswer {
  /** `silent`: sent and not answered. `unsent`: it never left. */
  readonly outcome: 'accepted' | 'rejected' | 'silent' | 'unsent'
  readonly status?: string | undefined
  readonly reason?: string | undefined
}

/** What happens to logs of one charge point; rules.ts decides what follows. */
export type LogInput =
  | {
      readonly kind: 'logRequested'
      readonly requestId: number
      readonly type: LogType
      readonly fromAt?: number | undefined
      readonly toAt?: number | undefined
      readonly createdAt: number
      readonly tokenHash: string
      readonly grantId?: string | undefined
    }
  | { readonly kind: 'logCallOrdered'; readonly requestId: number }
  | { readonly kind: 'logAnswered'; readonly requestId: number; readonly answer: JobAnswer }
  /** The charge point reported; without an id it means the newest open one. */
  | { readonly kind: 'logStatus'; readonly status: string; readonly requestId?: number | undefined }
  | { readonly kind: 'logFileStored'; readonly requestId: number; readonly file: LogFile }
  /** Its account or charge point has more than it may (FIRMWARE-D5). */
  | { readonly kind: 'logRemoved'; readonly requestId: number }
  | { readonly kind: 'logDue'; readonly requestId: number }
