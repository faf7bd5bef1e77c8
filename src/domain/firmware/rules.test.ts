import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { Driver } from '../../../test/support/sessions/driver.ts'
import { firmwareUpdated } from '../events/firmware-events.ts'
import type { JobAnswer } from '../logs/records.ts'
import type { CampaignRow, FirmwareInput, FirmwareUpdate } from './records.ts'
import { isOpen, isUpdateDue } from './rules.ts'

const MINUTE_MS = 60_000
const SILENCE_MS = 120 * MINUTE_MS
const ACCEPTED: JobAnswer = { outcome: 'accepted' }
const SILENT: JobAnswer = { outcome: 'silent' }

class Updates extends Driver {
  /** As the campaign shows them. */
  readonly rows = new Map<string, CampaignRow>()
  readonly reported: unknown[] = []

  decide(input: FirmwareInput | { readonly kind: 'booted'; readonly firmwareVersion: string }): this {
    this.outcome(input)
    return this
  }
  outcome(input: Parameters<Updates['decide']>[0]): object {
    const { changes, outcome } = this.send(input)
    for (const change of changes.records ?? []) {
      if (change.kind === 'firmware_campaign_rows' && 'put' in change) this.rows.set(change.put.campaignId, change.put)
    }
    this.reported.push(...(changes.events ?? []))
    return outcome
  }
  order(requestId = 1, more: Partial<FirmwareUpdate> = {}): this {
    return this.decide({ ...ordered(requestId, this.now), ...more } as FirmwareInput)
  }
  sent(requestId = 1): this {
    return this.decide({ kind: 'firmwareCallOrdered', requestId })
  }
  answered(answer: JobAnswer, requestId = 1): this {
    return this.decide({ kind: 'firmwareAnswered', requestId, answer })
  }
  says(status: string, requestId?: number): this {
    return this.decide({ kind: 'firmwareStatus', status, requestId })
  }
  recall(into: 'planned' | 'cancelled', requestId = 1): this {
    return this.decide({ kind: 'firmwareRecalled', requestId, into })
  }
  dueAfter(ms: number, requestId = 1): this {
    this.now += ms
    return this.decide({ kind: 'firmwareDue', requestId })
  }
  update(requestId = 1): FirmwareUpdate {
    const found = this.records.all('firmware_updates').find((update) => update.requestId === requestId)
    if (!found) throw new Error(`There is no update ${requestId}.`)
    return found
  }
  row(campaign = 1): CampaignRow | undefined {
    return this.rows.get(`cmp_${campaign}`)
  }
}

function ordered(requestId: number, now: number) {
  return {
    kind: 'firmwareOrdered',
    requestId,
    campaignId: `cmp_${requestId}`,
    wave: 1,
    target: { version: '2.0', firmwareId: 'fw_1' },
    onlyIdle: false,
    silenceMs: SILENCE_MS,
    createdAt: now,
    tokenHash: `hash-${requestId}`,
  } as const
}

const running = (): Updates => new Updates().order().sent().answered(ACCEPTED)

it('FIRMWARE-U1: an update: waits, is ordered once, and runs when it was taken', () => {
  const updates = new Updates().order()
  expect([updates.update().state, updates.row()?.state, isUpdateDue(updates.update(), updates.now)]).toEqual([
    'waiting',
    'waiting',
    true,
  ])
  updates.sent()
  expect(isUpdateDue(updates.update(), updates.now)).toBe(false)
  expect(updates.outcome({ kind: 'firmwareCallOrdered', requestId: 1 })).toEqual({ refused: 'job_not_waiting' })
  updates.answered(ACCEPTED)
  expect([updates.update().state, updates.row()?.state]).toEqual(['running', 'running'])
})

it('FIRMWARE-U1: an update: is one at a time; older ones are forgotten one day', () => {
  const updates = running()
  expect(updates.outcome(ordered(2, updates.now))).toEqual({ refused: 'update_running' })
  for (let id = 1; id < 40; id++) {
    updates.says('Installed', id)
    updates.now += 1
    updates
      .order(id + 1)
      .sent(id + 1)
      .answered(ACCEPTED, id + 1)
  }
  expect(updates.records.all('firmware_updates').length).toBeLessThan(25)
})

it('FIRMWARE-U1: an update: that is refused is rejected with the reason', () => {
  const refused: JobAnswer = { outcome: 'rejected', status: 'InvalidCertificate', reason: 'Because.' }
  const updates = new Updates().order().sent().answered(refused)
  expect(updates.row()).toMatchObject({ state: 'rejected', status: 'InvalidCertificate', reason: 'Because.' })
  expect(updates.update().dueAt).toBeUndefined()
})

it('FIRMWARE-U1, FIRMWARE-U2: an update: waits for its hours', () => {
  const hours = { start: '02:00', end: '05:00', timeZone: 'UTC' }
  const update = new Updates().order(1, { hours }).update()
  expect(isUpdateDue(update, Date.parse('2026-11-21T03:00:00Z'))).toBe(true)
  expect(isUpdateDue(update, Date.parse('2026-11-21T06:00:00Z'))).toBe(false)
})

it.each([
  ['Downloading', 'running'],
  ['DownloadScheduled', 'running'],
  ['DownloadPaused', 'running'],
  ['InstallScheduled', 'running'],
  ['InstallRebooting', 'running'],
  ['SignatureVerified', 'running'],
  ['Idle', 'running'],
  ['Installed', 'succeeded'],
  ['INSTALLED', 'succeeded'],
  ['DownloadFailed', 'failed'],
  ['InstallationFailed', 'failed'],
  ['InstallVerificationFailed', 'failed'],
  ['InvalidSignature', 'failed'],
  ['RevokedCertificate', 'failed'],
])('FIRMWARE-U3, FIRMWARE-U4: %s makes it %s', (status, state) => {
  const updates = running().says(status, 1)
  expect([updates.update().state, updates.row()]).toEqual([state, expect.objectContaining({ state, status })])
  expect(updates.update().statuses).toEqual([{ status, at: updates.now }])
})

it('FIRMWARE-U3, FIRMWARE-U4: every status is kept, but not without end', () => {
  const updates = running()
  for (let at = 0; at < 150; at++) updates.says(`Step${at}`, 1)
  expect(updates.update().statuses).toHaveLength(100)
  expect(updates.update().statuses.at(-1)?.status).toBe('Step149')
})

it('FIRMWARE-U3, FIRMWARE-U4: without an id it means the one that was sent and is open; a foreign id none', () => {
  expect(new Updates().order().says('Installed').update().state).toBe('waiting')
  expect(running().says('Installed').update().state).toBe('succeeded')
  expect(running().says('Installed', 9).update().state).toBe('running')
})

it('FIRMWARE-U3, FIRMWARE-U4: Installed after a failure makes up for it, and nothing else does', () => {
  const updates = running().says('DownloadFailed', 1).says('Downloading', 1)
  expect(updates.row()).toMatchObject({ state: 'failed', status: 'Downloading' })
  expect(updates.says('Installed', 1).says('DownloadFailed', 1).row()).toMatchObject({ state: 'succeeded' })
})

it.each([
  ['2.0', 'succeeded'],
  [' 2.0 ', 'succeeded'],
  ['1.9', 'running'],
])('FIRMWARE-U3, FIRMWARE-U4: a boot with version %j makes it %s', (firmwareVersion, state) => {
  expect(running().decide({ kind: 'booted', firmwareVersion }).update().state).toBe(state)
})

it('FIRMWARE-U5: silence: a call without an answer is sent again twice, later each time', () => {
  const updates = new Updates().order()
  for (const minutes of [1, 2]) {
    updates.sent().answered(SILENT)
    expect(isUpdateDue(updates.update(), updates.now)).toBe(false)
    updates.now += minutes * MINUTE_MS
    expect(isUpdateDue(updates.update(), updates.now)).toBe(true)
  }
  expect(updates.sent().answered(SILENT).row()).toMatchObject({
    state: 'failed',
    reason: 'The charge point did not answer.',
  })
})

it('FIRMWARE-U5: silence: a late answer counts while it waits for its next try', () => {
  expect(new Updates().order().sent().answered(SILENT).answered(ACCEPTED).update().state).toBe('running')
})

it('FIRMWARE-U5: silence: it is asked, and given up when it says nothing or that it does nothing', () => {
  const asked = (): Updates => running().dueAfter(SILENCE_MS)
  expect(asked().update()).toMatchObject({ state: 'running', isAsked: true })
  expect(
    asked()
      .dueAfter(10 * MINUTE_MS)
      .row(),
  ).toMatchObject({ state: 'failed', reason: 'The charge point said nothing more.' })
  expect(asked().says('Idle').row()).toMatchObject({ state: 'failed', reason: 'It does not update any more.' })
  expect(asked().says('Installing').update()).toMatchObject({ state: 'running', isAsked: false })
  expect(
    running()
      .dueAfter(SILENCE_MS - 1)
      .update().isAsked,
  ).toBe(false)
})

it('FIRMWARE-U6: taking it back: what was not sent is gone, and its row is what it was taken back into', () => {
  const updates = new Updates().order().recall('planned')
  expect(updates.records.all('firmware_updates')).toEqual([])
  expect(updates.row()).toMatchObject({ state: 'planned' })
  expect(updates.row()).not.toHaveProperty('requestId')
  expect(new Updates().order().recall('cancelled').row()?.state).toBe('cancelled')
})

it('FIRMWARE-U6: taking it back: what is about to leave is gone if it did not', () => {
  const updates = new Updates().order().sent().recall('cancelled')
  expect(updates.answered({ outcome: 'unsent' }).row()?.state).toBe('cancelled')
  expect(updates.records.all('firmware_updates')).toEqual([])
})

it('FIRMWARE-U6: taking it back: what was taken cannot be called back, and is told on to its end', () => {
  const updates = running().recall('cancelled')
  expect(updates.row()).toMatchObject({ state: 'notRecallable' })
  expect(updates.says('Installed', 1).row()).toMatchObject({ state: 'notRecallable', status: 'Installed' })
  expect(running().recall('planned').row()?.state).toBe('running')
  expect(new Updates().order().sent().answered(SILENT).recall('cancelled').row()?.state).toBe('notRecallable')
})

it('FIRMWARE-U7: the event: is what its declaration says, and comes with each change', () => {
  const updates = running().says('Installed', 1)
  expect(updates.reported).toHaveLength(3)
  expect(updates.reported.at(-1)).toEqual(firmwareUpdated.of(updates.update()))
})

const event = fc.oneof(
  fc.constant<FirmwareInput>({ kind: 'firmwareCallOrdered', requestId: 1 }),
  fc
    .constantFrom(ACCEPTED, SILENT, { outcome: 'unsent' } as const, { outcome: 'rejected' } as const)
    .map((answer): FirmwareInput => ({ kind: 'firmwareAnswered', requestId: 1, answer })),
  fc
    .tuple(fc.constantFrom('Downloading', 'Installed', 'Idle', 'DownloadFailed'), fc.constantFrom(1, undefined))
    .map(([status, requestId]): FirmwareInput => ({ kind: 'firmwareStatus', status, requestId })),
  fc
    .constantFrom('planned', 'cancelled')
    .map((into): FirmwareInput => ({ kind: 'firmwareRecalled', requestId: 1, into: into as 'planned' })),
  fc.constant<FirmwareInput>({ kind: 'firmwareDue', requestId: 1 }),
)

it('FIRMWARE-U1 to FIRMWARE-U6: in whatever order things happen: what has succeeded stays so, what is over waits for nothing, what is open is looked at again', () => {
  forAll(fc.array(fc.tuple(event, fc.nat({ max: SILENCE_MS })), { maxLength: 30 }), (events) => {
    const updates = new Updates().order()
    let succeeded = false
    for (const [input, ms] of events) {
      updates.now += ms
      updates.decide(input)
      const [update] = updates.records.all('firmware_updates')
      if (!update) return
      if (succeeded) expect(update.state).toBe('succeeded')
      succeeded = update.state === 'succeeded'
      expect(update.dueAt === undefined).toBe(!isOpen(update))
      expect(update.attempts).toBeLessThanOrEqual(3)
    }
  })
})
