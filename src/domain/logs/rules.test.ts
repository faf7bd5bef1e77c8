import { expect, it } from 'vitest'
import { Driver, ZERO } from '../../../test/support/sessions/driver.ts'
import type { JobAnswer, LogRequest } from './records.ts'
import { isLogDue, LOG_SILENCE_MS, LOG_WAIT_MS, LOGS_KEPT, takesFile } from './rules.ts'

const MINUTE_MS = 60_000
const FILE = { name: 'a.log', bytes: 3, sha256: 'aa', storedAt: ZERO }
const ACCEPTED: JobAnswer = { outcome: 'accepted', status: 'Accepted' }

class Logs extends Driver {
  ask(requestId = 1): this {
    this.send({
      kind: 'logRequested',
      requestId,
      type: 'security',
      createdAt: this.now,
      tokenHash: `hash-${requestId}`,
    })
    return this
  }
  sent(requestId = 1): this {
    this.send({ kind: 'logCallOrdered', requestId })
    return this
  }
  answered(answer: JobAnswer, requestId = 1): this {
    this.send({ kind: 'logAnswered', requestId, answer })
    return this
  }
  says(status: string, requestId?: number): this {
    this.send({ kind: 'logStatus', status, requestId })
    return this
  }
  log(requestId = 1): LogRequest {
    const found = this.records.all('log_requests').find((log) => log.requestId === requestId)
    if (!found) throw new Error(`There is no log ${requestId}.`)
    return found
  }
  later(ms: number): this {
    this.now += ms
    return this
  }
  get due(): boolean {
    return isLogDue(this.log(), this.now)
  }
}

const taken = (): Logs => new Logs().ask().sent().answered(ACCEPTED)

it('FIRMWARE-D1: a log that is asked for: waits until its call is ordered, and is ordered once', () => {
  const logs = new Logs().ask()
  expect([logs.log().state, logs.due]).toEqual(['requested', true])
  logs.sent()
  expect(logs.due).toBe(false)
  expect(logs.send({ kind: 'logCallOrdered', requestId: 1 }).outcome).toEqual({ refused: 'job_not_waiting' })
  expect(logs.answered(ACCEPTED).log()).toMatchObject({ state: 'requested', isAccepted: true })
})

it('FIRMWARE-D1: a log that is asked for: waits again when its call never left', () => {
  const logs = new Logs().ask().sent().answered({ outcome: 'unsent' })
  expect([logs.due, logs.log().attempts]).toEqual([true, 0])
})

it('FIRMWARE-D1, FIRMWARE-D4: a log that is asked for: of which only so many are kept; those that are over make room', () => {
  const logs = new Logs()
  for (let id = 1; id <= LOGS_KEPT; id++) logs.later(1).ask(id)
  const one = { kind: 'logRequested', requestId: 99, type: 'security', createdAt: logs.now, tokenHash: 'h' } as const
  expect(logs.send(one).outcome).toEqual({ refused: 'too_many_logs' })
  logs.sent(5).answered({ outcome: 'rejected' }, 5)
  expect(logs.send(one).outcome).toEqual({})
  expect(logs.records.all('log_requests')).toHaveLength(LOGS_KEPT)
  expect(() => logs.log(5)).toThrow()
})

it.each([
  ['Uploading', 'uploading'],
  ['UPLOADING', 'uploading'],
  ['UploadFailed', 'failed'],
  ['UploadFailure', 'failed'],
  ['BadMessage', 'failed'],
  ['NotSupportedOperation', 'failed'],
  ['PermissionDenied', 'failed'],
  ['AcceptedCanceled', 'failed'],
  ['Uploaded', 'failed'],
  ['Idle', 'requested'],
  ['Whatever', 'requested'],
])('FIRMWARE-D2: what the charge point says: %s makes it %s', (status, state) => {
  expect(taken().says(status, 1).log()).toMatchObject({ state, status })
})

it('FIRMWARE-D2: what the charge point says: without an id it means the newest that was sent and is open; a foreign id none', () => {
  const logs = new Logs().ask(1).sent(1).later(1).ask(2).sent(2).later(1).ask(3)
  logs.says('Uploading')
  expect([1, 2, 3].map((id) => logs.log(id).state)).toEqual(['requested', 'uploading', 'requested'])
  logs.says('UploadFailed', 77)
  expect([1, 2, 3].map((id) => logs.log(id).state)).toEqual(['requested', 'uploading', 'requested'])
  expect(new Logs().says('Idle').records.all('log_requests')).toEqual([])
})

it('FIRMWARE-D2: what the charge point says: it refuses with its reason', () => {
  const refused: JobAnswer = { outcome: 'rejected', status: 'Rejected', reason: 'Because.' }
  expect(new Logs().ask().sent().answered(refused).log()).toMatchObject({ state: 'rejected', reason: 'Because.' })
})

it('FIRMWARE-D2: what the charge point says: a failure is not the end: its own next try counts', () => {
  expect(taken().says('UploadFailed', 1).says('Uploading', 1).log()).toMatchObject({ state: 'uploading' })
})

const stored = { kind: 'logFileStored', requestId: 1, file: FILE } as const

it('FIRMWARE-D3: the file: makes it uploaded, before, without and after a word of the charge point', () => {
  for (const before of [taken(), taken().says('Uploading', 1), taken().says('Uploaded', 1), new Logs().ask().sent()]) {
    expect(before.send(stored).outcome).toEqual({})
    const log = before.log()
    expect(log).toMatchObject({ state: 'uploaded', file: FILE })
    expect([log.reason, log.dueAt, takesFile(log, before.now)]).toEqual([undefined, undefined, false])
    expect(before.says('UploadFailed', 1).answered({ outcome: 'silent' }).log().state).toBe('uploaded')
    expect(before.send(stored).outcome).toEqual({ refused: 'no_such_log' })
  }
})

it('FIRMWARE-D3: the file: is taken in its time and unless it was refused (FIRMWARE-F1)', () => {
  const log = taken().log()
  expect(takesFile(log, log.expiresAt - 1)).toBe(true)
  expect(takesFile(log, log.expiresAt)).toBe(false)
  expect(takesFile({ ...log, state: 'rejected' }, ZERO)).toBe(false)
})

const due = { kind: 'logDue', requestId: 1 } as const

it('FIRMWARE-D4: silence: a call without an answer is sent again twice, later each time', () => {
  const logs = new Logs().ask()
  for (const pause of [1, 2]) {
    logs.sent().answered({ outcome: 'silent' })
    expect([logs.due, logs.log().notBefore]).toEqual([false, logs.now + pause * MINUTE_MS])
    logs.later(pause * MINUTE_MS)
    expect(logs.log().dueAt).toBe(logs.now)
    logs.send(due)
    expect([logs.due, logs.log().state]).toEqual([true, 'requested'])
  }
  logs.sent().answered({ outcome: 'silent' })
  expect(logs.log()).toMatchObject({ state: 'failed', reason: 'The charge point did not answer.' })
})

it('FIRMWARE-D4: silence: one that could not be asked within a day has failed', () => {
  const logs = new Logs().ask().later(LOG_WAIT_MS - 1)
  logs.send(due)
  expect(logs.log().state).toBe('requested')
  logs.later(1).send(due)
  expect(logs.log()).toMatchObject({ state: 'failed', reason: 'The charge point could not be asked within a day.' })
  expect(logs.log().dueAt).toBeUndefined()
})

it('FIRMWARE-D4: silence: one of which nothing is heard for two hours has failed; each word counts', () => {
  const logs = taken()
    .later(LOG_SILENCE_MS - 1)
    .says('Uploading', 1)
    .later(LOG_SILENCE_MS - 1)
  logs.send(due)
  expect(logs.log().state).toBe('uploading')
  logs.later(1).send(due)
  expect(logs.log()).toMatchObject({ state: 'failed', reason: 'No upload came to an end in time.' })
})
