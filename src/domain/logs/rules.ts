/** What becomes of a log that was asked for (FIRMWARE-D1 to FIRMWARE-D4). */
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { newest, recordsOf } from '../records/records-of.ts'
import type { LogRequest } from './records.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A charge point that is away for longer needs a new request. */
export const LOG_WAIT_MS = 24 * HOUR_MS
/** From one sign of an upload to the next. */
export const LOG_SILENCE_MS = 2 * HOUR_MS
/** Logs of a charge point that are kept; the oldest ones go, with their files. */
export const LOGS_KEPT = 50
const MAX_ATTEMPTS = 3
/** No official status is longer; an invented one is cut. */
const STATUS_CHARACTERS = 50

const logs = recordsOf('log_requests')
const NO_SUCH: Outcome = { refused: 'no_such_log' }

export function onLogRequested(draft: BlockDraft, input: InputOf<'logRequested'>): Outcome | undefined {
  const { chargePointId, accountId } = draft.state
  const { requestId, type, fromAt, toAt, createdAt, tokenHash, grantId } = input
  if (logs.find(draft, input)) return { refused: 'log_exists' }
  if (!logs.makeRoom(draft, LOGS_KEPT, isLogOver)) return { refused: 'too_many_logs' }
  logs.put(draft, {
    chargePointId,
    requestId,
    accountId,
    type,
    fromAt,
    toAt,
    state: 'requested',
    isOrdered: false,
    isAccepted: false,
    attempts: 0,
    tokenHash,
    expiresAt: createdAt + LOG_WAIT_MS + LOG_SILENCE_MS,
    dueAt: createdAt + LOG_WAIT_MS,
    createdAt,
    updatedAt: createdAt,
    grantId,
  })
}

export function onLogCallOrdered(draft: BlockDraft, { requestId }: InputOf<'logCallOrdered'>): Outcome | undefined {
  const log = logs.find(draft, { requestId })
  if (!log || !isLogDue(log, draft.now)) return { refused: 'job_not_waiting' }
  logs.put(draft, { ...log, isOrdered: true, attempts: log.attempts + 1 })
}

export function onLogAnswered(draft: BlockDraft, { requestId, answer }: InputOf<'logAnswered'>): void {
  const log = logs.find(draft, { requestId })
  if (!log || log.state === 'uploaded') return
  const answered = { ...log, isOrdered: false }
  switch (answer.outcome) {
    case 'accepted':
      if (!isLogOver(log)) logs.change(draft, { ...answered, isAccepted: true, dueAt: draft.now + LOG_SILENCE_MS })
      break
    case 'rejected':
      logs.change(draft, over({ ...answered, state: 'rejected', status: cut(answer.status), reason: answer.reason }))
      break
    case 'unsent':
      logs.put(draft, { ...answered, attempts: Math.max(0, log.attempts - 1) })
      break
    case 'silent':
      logs.change(
        draft,
        log.attempts < MAX_ATTEMPTS
          ? { ...answered, ...sentAgainAt(draft.now + MINUTE_MS * 2 ** (log.attempts - 1)) }
          : over({ ...answered, state: 'failed', reason: 'The charge point did not answer.' }),
      )
  }
}

const FAILED: ReadonlySet<string> = new Set([
  'uploadfailed',
  'uploadfailure',
  'badmessage',
  'notsupportedoperation',
  'permissiondenied',
  'acceptedcanceled',
])

export function onLogStatus(draft: BlockDraft, input: InputOf<'logStatus'>): void {
  const log = input.requestId === undefined ? newestOpen(draft) : logs.find(draft, { requestId: input.requestId })
  // What is uploaded stays so: the file is there.
  if (!log || log.state === 'uploaded') return
  const status = cut(input.status)
  const seen = { ...log, status, isAccepted: true, isOrdered: log.isOrdered && log.isAccepted }
  const said = input.status.toLowerCase()
  if (said === 'uploading') {
    const { reason: _, ...rest } = seen
    logs.change(draft, { ...rest, state: 'uploading', dueAt: draft.now + LOG_SILENCE_MS })
  } else if (said === 'uploaded') {
    logs.change(
      draft,
      over({ ...seen, state: 'failed', reason: 'It says that it uploaded the file, but none came here.' }),
    )
  } else if (FAILED.has(said)) {
    logs.change(draft, over({ ...seen, state: 'failed', reason: `The charge point reported ${status}.` }))
  } else logs.change(draft, { ...log, status })
}

/** FIRMWARE-D3: only this makes a log `uploaded`. */
export function onLogFileStored(draft: BlockDraft, { requestId, file }: InputOf<'logFileStored'>): Outcome {
  const log = logs.find(draft, { requestId })
  if (!log || log.state === 'uploaded') return NO_SUCH
  const { reason: _, ...rest } = log
  logs.change(draft, over({ ...rest, state: 'uploaded', isAccepted: true, file }))
  return {}
}

export function onLogRemoved(draft: BlockDraft, { requestId }: InputOf<'logRemoved'>): Outcome {
  const log = logs.find(draft, { requestId })
  if (!log || !isLogOver(log)) return NO_SUCH
  logs.remove(draft, log)
  return {}
}

/** Requests that are still open: the caller who needed the files is gone. */
export function endLogsOf(draft: BlockDraft, grantId: string): void {
  for (const log of draft.state.records.all('log_requests')) {
    if (log.grantId === grantId && !isLogOver(log)) logs.remove(draft, log)
  }
}

export function onLogDue(draft: BlockDraft, { requestId }: InputOf<'logDue'>): void {
  const log = logs.find(draft, { requestId })
  if (!log || isLogOver(log) || log.dueAt === undefined || log.dueAt > draft.now) return
  const desiredUntil = log.createdAt + LOG_WAIT_MS
  if (!log.isAccepted && draft.now < desiredUntil) {
    // Its call is due again, which the core sees after this.
    logs.put(draft, { ...log, dueAt: desiredUntil })
    return
  }
  const reason = log.isAccepted
    ? 'No upload came to an end in time.'
    : 'The charge point could not be asked within a day.'
  logs.change(draft, over({ ...log, state: 'failed', reason }))
}

function sentAgainAt(at: number): Pick<LogRequest, 'notBefore' | 'dueAt'> {
  return { notBefore: at, dueAt: at }
}

export function isLogDue(log: LogRequest, now: number): boolean {
  return log.state === 'requested' && !log.isOrdered && !log.isAccepted && (log.notBefore ?? 0) <= now
}

/** Whether its address accepts a file (FIRMWARE-F1). */
export function takesFile({ state, expiresAt }: Pick<LogRequest, 'state' | 'expiresAt'>, now: number): boolean {
  return state !== 'uploaded' && state !== 'rejected' && now < expiresAt
}

export function isLogOver({ state }: Pick<LogRequest, 'state'>): boolean {
  return state === 'uploaded' || state === 'failed' || state === 'rejected'
}

function over({ dueAt: _, ...log }: LogRequest): LogRequest {
  return log
}

/** What is kept of a word that no schema vouches for. */
export function cut(status: string | undefined): string | undefined {
  return status?.slice(0, STATUS_CHARACTERS)
}

/** Of those that the charge point knows of. */
function newestOpen(draft: BlockDraft): LogRequest | undefined {
  const all = draft.state.records.all('log_requests')
  return newest(all.filter((log) => !isLogOver(log) && (log.isAccepted || log.attempts > 0)))
}
