import { flag, type InputsOf, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'

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
export type LogInput = InputsOf<{
  logRequested: {
    requestId: number
    type: LogType
    fromAt?: number | undefined
    toAt?: number | undefined
    createdAt: number
    tokenHash: string
    grantId?: string | undefined
  }
  logCallOrdered: { requestId: number }
  logAnswered: { requestId: number; answer: JobAnswer }
  /** The charge point reported; without an id it means the newest open one. */
  logStatus: { status: string; requestId?: number | undefined }
  logFileStored: { requestId: number; file: LogFile }
  /** Its account or charge point has more than it may (FIRMWARE-D5). */
  logRemoved: { requestId: number }
  logDue: { requestId: number }
}>

/** FIRMWARE-D5: bytes of logs per account and charge point. An hourly sweep removes the oldest; uploads are counted. */
export interface CountedLog {
  readonly accountId: string
  readonly chargePointId: string
  readonly requestId: number
  readonly bytes: number
  readonly storedAt: number
}

/** How much more the stored logs may take, of each station and of its account. */
export interface LogQuota {
  /** What an upload may have at most; 0: nothing. */
  room(of: Pick<CountedLog, 'accountId' | 'chargePointId'>): number
  add(log: Pick<CountedLog, 'accountId' | 'chargePointId' | 'bytes'>): void
  /** These are all. @returns those that have to go */
  count(logs: readonly CountedLog[]): readonly CountedLog[]
}

/** One charge point cannot use up what all others have. */
const STATIONS_SHARE = 8
/** After a removal there is room again for a while. */
const KEPT_SHARE = 0.9

/** @param bytes of an account; 0 = no limit */
export function createLogQuota(bytes: number): LogQuota {
  const mostOfAccount = bytes === 0 ? Number.POSITIVE_INFINITY : bytes
  const mostOfStation = mostOfAccount / STATIONS_SHARE
  let accounts = new Map<string, number>()
  let stations = new Map<string, number>()
  const add: LogQuota['add'] = ({ accountId, chargePointId, bytes: size }) => {
    accounts.set(accountId, (accounts.get(accountId) ?? 0) + size)
    stations.set(chargePointId, (stations.get(chargePointId) ?? 0) + size)
  }
  return {
    room: ({ accountId, chargePointId }) =>
      Math.max(
        0,
        Math.min(
          mostOfAccount - (accounts.get(accountId) ?? 0),
          Math.floor(mostOfStation) - (stations.get(chargePointId) ?? 0),
        ),
      ),
    add,
    count(logs) {
      accounts = new Map()
      stations = new Map()
      const leaving: CountedLog[] = []
      for (const log of [...logs].sort((a, b) => b.storedAt - a.storedAt)) {
        const ofAccount = (accounts.get(log.accountId) ?? 0) + log.bytes
        const ofStation = (stations.get(log.chargePointId) ?? 0) + log.bytes
        if (ofAccount > mostOfAccount * KEPT_SHARE || ofStation > mostOfStation * KEPT_SHARE) leaving.push(log)
        else add(log)
      }
      return leaving
    },
  }
}

/** Name of the stored file. */
export function logFile(tokenHash: string): string {
  return `log-${tokenHash}`
}
