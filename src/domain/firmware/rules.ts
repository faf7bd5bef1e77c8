/** What becomes of an update of one charge point (FIRMWARE-U1 to FIRMWARE-U7). */

import { firmwareNews } from '../events/firmware-events.ts'
import { isWithin } from '../hours.ts'
import type { IntentState } from '../intents/records.ts'
import { forgetWork, showWork, type Work } from '../intents/work.ts'
import { cut } from '../logs/rules.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { newest, recordsOf } from '../records/records-of.ts'
import { RUNS_IT } from './plan.ts'
import type { CampaignRow, FirmwareUpdate, RowState, SeenStatus } from './records.ts'

const MINUTE_MS = 60_000
/** How often a waiting one is looked at: its charge point may have become idle, or its hours have begun. */
const WAITING_STEP_MS = 15_000
const ANSWER_MS = 10 * MINUTE_MS
const MAX_ATTEMPTS = 3
/** Updates of a charge point that are kept beside the open one. */
const KEPT = 20
/** Far more than an update has; a charge point that goes on and on fills no memory. */
const MAX_STATUSES = 100

const updates = recordsOf('firmware_updates')
const rows = recordsOf('firmware_campaign_rows')

export function onFirmwareOrdered(draft: BlockDraft, input: InputOf<'firmwareOrdered'>): Outcome | undefined {
  const { chargePointId, accountId, records } = draft.state
  const all = records.all('firmware_updates')
  if (updates.find(draft, input)) return { refused: 'update_exists' }
  if (all.some(isOpen)) return { refused: 'update_running' }
  const { campaignId, wave, target } = input
  // It was updated since the campaign was planned.
  if (draft.state.status.firmwareVersion?.trim() === target.version.trim()) {
    rows.put(draft, { campaignId, chargePointId, wave, state: 'skipped', reason: RUNS_IT, updatedAt: draft.now })
    return undefined
  }
  updates.makeRoom(draft, KEPT + 1)
  const { kind: _, ...ordered } = input
  change(draft, {
    ...ordered,
    chargePointId,
    accountId,
    state: 'waiting',
    statuses: [],
    isOrdered: false,
    attempts: 0,
    isAsked: false,
    dueAt: draft.now + WAITING_STEP_MS,
    updatedAt: draft.now,
  })
}

export function onFirmwareCallOrdered(
  draft: BlockDraft,
  { requestId }: InputOf<'firmwareCallOrdered'>,
): Outcome | undefined {
  const update = updates.find(draft, { requestId })
  if (!update || !isUpdateDue(update, draft.now)) return { refused: 'job_not_waiting' }
  put(draft, { ...update, isOrdered: true, attempts: update.attempts + 1 })
}

export function onFirmwareAnswered(draft: BlockDraft, { requestId, answer }: InputOf<'firmwareAnswered'>): void {
  const update = updates.find(draft, { requestId })
  if (!update || !isOpen(update)) return
  const answered = { ...update, isOrdered: false }
  switch (answer.outcome) {
    case 'accepted':
      change(draft, { ...answered, state: 'running', isAsked: false, dueAt: draft.now + update.silenceMs })
      break
    case 'rejected':
      change(draft, over({ ...answered, state: 'rejected', status: cut(answer.status), reason: answer.reason }))
      break
    case 'unsent':
      if (update.recalled) takeBack(draft, update)
      else put(draft, { ...answered, attempts: Math.max(0, update.attempts - 1) })
      break
    case 'silent':
      if (update.recalled === 'planned') {
        takeBack(draft, update)
        break
      }
      // It may have taken the order: a status of it may still come.
      change(
        draft,
        update.attempts < MAX_ATTEMPTS && !update.recalled
          ? { ...answered, notBefore: draft.now + MINUTE_MS * 2 ** (update.attempts - 1) }
          : over({ ...answered, state: 'failed', reason: 'The charge point did not answer.' }),
      )
  }
}

export function onFirmwareStatus(draft: BlockDraft, input: InputOf<'firmwareStatus'>): void {
  const update = input.requestId === undefined ? newestOpen(draft) : updates.find(draft, { requestId: input.requestId })
  if (!update) return
  const status = cut(input.status) ?? ''
  const meaning = meaningOf(input.status)
  const statuses = withinLimit([...update.statuses, { status, at: draft.now }])
  const seen: FirmwareUpdate = { ...update, status, statuses, isOrdered: false }
  if (meaning === 'installed') {
    const { reason: _, ...rest } = seen
    change(draft, over({ ...rest, state: 'succeeded' }))
  } else if (!isOpen(update)) change(draft, seen)
  else if (meaning === 'failed') {
    change(draft, over({ ...seen, state: 'failed', reason: `The charge point reported ${status}.` }))
  } else if (meaning === 'idle') {
    // The charge point does nothing: the update that it was asked about ended without a report.
    const hasGivenUp = update.isAsked && update.state === 'running'
    change(draft, hasGivenUp ? over({ ...seen, state: 'failed', reason: 'It does not update any more.' }) : seen)
  } else change(draft, { ...seen, state: 'running', isAsked: false, dueAt: draft.now + update.silenceMs })
}

/** FIRMWARE-U4: the version in its BootNotification counts, too. */
export function onFirmwareBooted(draft: BlockDraft, version: string | undefined): void {
  if (version === undefined) return
  for (const update of draft.state.records.all('firmware_updates')) {
    const current = updates.find(draft, update)
    if (!current || !isOpen(current) || current.target.version.trim() !== version.trim()) continue
    // The update was never sent and is not the cause, but nothing is left to do.
    change(draft, over({ ...current, state: 'succeeded', isOrdered: false }))
  }
}

export function onFirmwareDue(draft: BlockDraft, { requestId }: InputOf<'firmwareDue'>): void {
  const update = updates.find(draft, { requestId })
  if (!update || !isOpen(update) || (update.dueAt ?? draft.now) > draft.now) return
  if (update.state === 'waiting') put(draft, { ...update, dueAt: draft.now + WAITING_STEP_MS })
  else if (!update.isAsked) change(draft, { ...update, isAsked: true, dueAt: draft.now + ANSWER_MS })
  else change(draft, over({ ...update, state: 'failed', reason: 'The charge point said nothing more.' }))
}

/** FIRMWARE-U6: what it has taken cannot be called back. */
export function onFirmwareRecalled(draft: BlockDraft, { requestId, into }: InputOf<'firmwareRecalled'>): void {
  const update = updates.find(draft, { requestId })
  if (!update || !isOpen(update)) return
  const recalled = { ...update, recalled: into }
  if (update.state === 'waiting' && !update.isOrdered) {
    // It was sent without an answer: the charge point may be at it.
    const mayHaveTaken = update.attempts > 0 && into === 'cancelled'
    if (mayHaveTaken) change(draft, { ...recalled, state: 'running', dueAt: draft.now + update.silenceMs })
    else takeBack(draft, recalled)
  } else if (update.recalled !== into && (update.state === 'waiting' || into === 'cancelled')) {
    change(draft, recalled)
  }
}

export function isUpdateDue(
  { state, isOrdered, recalled, notBefore = 0, hours }: FirmwareUpdate,
  now: number,
): boolean {
  return (
    state === 'waiting' && !isOrdered && !recalled && notBefore <= now && (hours === undefined || isWithin(hours, now))
  )
}

/** Whether its address gives the image (FIRMWARE-F1). */
export function isOpen({ state }: Pick<FirmwareUpdate, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

function takeBack(draft: BlockDraft, update: FirmwareUpdate): void {
  updates.remove(draft, update)
  forgetWork(draft, 'firmware')
  const { requestId: _, ...row } = rowOf(update, update.recalled ?? 'planned')
  rows.change(draft, row)
}

function rowOf(update: FirmwareUpdate, state: RowState): CampaignRow {
  const { campaignId, chargePointId, wave, status, reason, requestId, updatedAt } = update
  return { campaignId, chargePointId, wave, state, status, reason, requestId, updatedAt }
}

function stateOfRow({ state, recalled }: FirmwareUpdate): RowState {
  return recalled === 'cancelled' && state !== 'rejected' ? 'notRecallable' : state
}

function over({ dueAt: _, ...update }: FirmwareUpdate): FirmwareUpdate {
  return update
}

/** Beyond the limit a repetition goes first, so that each status that there was stays with its first time. */
function withinLimit(statuses: readonly SeenStatus[]): readonly SeenStatus[] {
  if (statuses.length <= MAX_STATUSES) return statuses
  const repeated = statuses.findIndex(({ status }, at) => at > 0 && statuses[at - 1]?.status === status)
  return statuses.toSpliced(Math.max(0, repeated), 1)
}

/** Of those that were sent: 1.6 names none. */
function newestOpen(draft: BlockDraft): FirmwareUpdate | undefined {
  const all = draft.state.records.all('firmware_updates')
  return newest(all.filter((update) => isOpen(update) && update.attempts > 0))
}

/** The update, its row in the campaign, and the event of it are one commit. */
function change(draft: BlockDraft, changed: FirmwareUpdate): void {
  const update = { ...changed, updatedAt: draft.now }
  put(draft, update)
  rows.put(draft, rowOf(update, stateOfRow(update)))
  draft.tell(firmwareNews(update))
}

function put(draft: BlockDraft, update: FirmwareUpdate): void {
  const isNew = updates.find(draft, update) === undefined
  updates.put(draft, update)
  const all = draft.state.records.all('firmware_updates')
  // News of an older update says nothing about the desired one.
  if (!isNew && all.some(({ createdAt }) => createdAt > update.createdAt)) return
  showWork(draft, { ...desiredBy(update), isNew })
}

/** What the statuses of both versions mean for an update; spelled in any case of letters. */
const FAILED: ReadonlySet<string> = new Set([
  'downloadfailed',
  'installationfailed',
  'installverificationfailed',
  'invalidsignature',
  'invalidcertificate',
  'certificateverificationfailed',
  'revokedcertificate',
])

function meaningOf(status: string): 'installed' | 'failed' | 'idle' | 'progress' {
  const said = status.toLowerCase()
  if (said === 'installed') return 'installed'
  if (said === 'idle') return 'idle'
  return FAILED.has(said) ? 'failed' : 'progress'
}

/** INTENT-A13: error codes of a station that cannot do this at all. */
const UNSUPPORTED: ReadonlySet<string | undefined> = new Set(['NotImplemented', 'NotSupported'])

function desiredBy(update: FirmwareUpdate): Work {
  const { target, reason, attempts } = update
  return { kind: 'firmware', desired: target.version, state: stateOf(update), reason, attempts }
}

const AS_INTENT = {
  waiting: 'pending',
  running: 'applied',
  succeeded: 'verified',
  rejected: 'rejected',
  failed: 'conflict',
} as const

function stateOf({ state, status, isOrdered }: FirmwareUpdate): IntentState {
  if (state === 'waiting' && isOrdered) return 'sent'
  return state === 'rejected' && UNSUPPORTED.has(status) ? 'unsupported' : AS_INTENT[state]
}
