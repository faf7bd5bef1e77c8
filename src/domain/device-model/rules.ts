/** What becomes of reports and of what they bring (DEVICE-A1 to DEVICE-A9). */

import { onMessagesComplete, onMessagesUnreadable, wantsMessages } from '../display-messages/rules.ts'
import { intentsMeet } from '../intents/rules.ts'
import { onMonitorsComplete, onMonitorsUnreadable, wantsMonitors } from '../monitors/rules.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import { end, followPage, lookAgain, modelOf, planned, putModel, putReport, reportOf } from './following.ts'
import { modelNameOf, type Report, type ReportedValue, type ReportSubject } from './records.ts'
import { withoutSecret } from './variable-names.ts'

/** Stations that begin to count their own requests at 1 keep clear of ours. */
const REPORTS_FROM = 2 ** 30
const REPORTS_KEPT = 20
/** DEVICE-A3 */
const SILENCE_MS = 120_000
/** Nothing of it was sent for so long: its station is away. */
const WAIT_MS = 24 * 3600_000
/** DEVICE-A6: so often in a row all keys are asked for in vain. */
const MAX_UNANSWERED = 2
/** DEVICE-A5: spread over this long after the boot. */
const JITTER_MS = 30_000

const unanswered = recordsOf('unanswered_reports')
const batches = recordsOf('value_batches')

/** What a report of a subject means once it is there. */
const ABOUT: Readonly<Record<ReportSubject, About>> = {
  monitors: { complete: onMonitorsComplete, unreadable: onMonitorsUnreadable },
  displayMessages: { complete: onMessagesComplete, unreadable: onMessagesUnreadable },
}

interface About {
  /** @param fresh what its last page reported; nothing where it has none */
  complete(draft: BlockDraft, reportId: number, truncated: boolean, fresh: readonly never[]): void
  unreadable(draft: BlockDraft, reason: string): void
}

export function onReportRequested(draft: BlockDraft, input: InputOf<'reportRequested'>): Outcome {
  const { chargePointId } = draft.state
  const known = draft.state.records.all('reports')
  const id = Math.max(REPORTS_FROM, ...known.map((report) => report.id)) + 1
  const toAsk = input.calls.map(({ method, request }) => ({
    method,
    request: input.needsRequestId ? { requestId: id, ...request } : request,
  }))
  const hasRoom = recordsOf('reports').makeRoom(draft, REPORTS_KEPT, ({ state }) => state !== 'running')
  if (!hasRoom) return { refused: 'too_many_reports' }
  putReport(draft, {
    chargePointId,
    id,
    state: 'running',
    isWhole: input.isWhole,
    isAutomatic: input.isAutomatic,
    subject: input.subject,
    grantId: input.grantId,
    toAsk,
    seen: [],
    truncated: false,
    variableCount: 0,
    createdAt: draft.now,
    updatedAt: draft.now,
  })
  if (input.subject) {
    putModel(draft, planned(modelOf(draft), input.subject, undefined))
  } else if (input.isAutomatic) {
    const { firmwareVersion } = draft.state.status
    const { reportDueAt: _, firmwareVersion: _f, ...model } = modelOf(draft)
    putModel(draft, { ...model, firmwareVersion })
  }
  return { reportId: id }
}

export function onReportAsked(draft: BlockDraft, { id }: InputOf<'reportAsked'>): void {
  const report = reportOf(draft, id)
  if (!report) return
  putReport(draft, { ...report, toAsk: report.toAsk.slice(1), askedAt: draft.now, heardAt: draft.now })
}

export function onReportAnswered(draft: BlockDraft, { id, answer, whole }: InputOf<'reportAnswered'>): Outcome {
  const report = reportOf(draft, id)
  if (report?.state !== 'running' || report.ending !== undefined) return {}
  const heard: Report = { ...report, heardAt: draft.now }
  switch (answer.outcome) {
    case 'accepted':
      putReport(draft, heard)
      return {}
    case 'empty':
      end(draft, { ...heard, isWhole: false }, 'complete')
      if (report.subject) ABOUT[report.subject].complete(draft, id, false, [])
      return {}
    case 'values':
      putBatch(draft, answer.batch, answer.values, id)
      if (report.isWhole) forgetUnanswered(draft)
      if (report.toAsk.length === 0) end(draft, heard, 'complete')
      else putReport(draft, heard)
      return {}
    case 'rejected':
      if (whole) goOnInTens(draft, heard, whole.inTens)
      else end(draft, { ...heard, reason: answer.reason }, 'rejected')
      if (report.subject) ABOUT[report.subject].unreadable(draft, answer.reason)
      return {}
    case 'failed':
      if (whole && !answer.isUnsent) wholeUnanswered(draft, heard, whole, answer.isDropped)
      else end(draft, { ...heard, reason: answer.reason }, 'incomplete')
      return {}
  }
}

export function onReportPage(draft: BlockDraft, input: InputOf<'reportPage'>): Outcome {
  followPage(draft, input, undefined, (reportId) => {
    putBatch(draft, input.batch, input.values, reportId)
    return false
  })
  return {}
}

export function onValuesReported(
  draft: BlockDraft,
  { batch, values }: Pick<InputOf<'valuesReported'>, 'batch' | 'values'>,
): void {
  putBatch(draft, batch, values)
}

export function onValuesPlaced(draft: BlockDraft, input: InputOf<'valuesPlaced'>): void {
  for (const row of input.rows) draft.changeRecord({ kind: 'variables', put: row })
  if (input.batch !== undefined) batches.remove(draft, { batch: input.batch })
  const model = modelOf(draft)
  if (input.added !== 0 || input.limits) {
    const limits = { ...model.limits, ...input.limits }
    putModel(draft, { ...model, variableCount: model.variableCount + input.added, limits })
  }
  const report = input.reportId === undefined ? undefined : reportOf(draft, input.reportId)
  if (report) {
    const variableCount = report.variableCount + input.placed.length
    putReport(draft, { ...report, variableCount, truncated: report.truncated || input.isTruncated })
  }
  intentsMeet(draft, input.placed, input.at)
}

export function onVariablesGone(draft: BlockDraft, { rows }: InputOf<'variablesGone'>): void {
  for (const row of rows) draft.changeRecord({ kind: 'variables', put: { ...row, gone: true, updatedAt: draft.now } })
}

export function onReportPlaced(draft: BlockDraft, { id }: InputOf<'reportPlaced'>): void {
  const report = reportOf(draft, id)
  if (report?.ending === undefined) return
  const { ending, ...rest } = report
  putReport(draft, { ...rest, state: ending, updatedAt: draft.now })
}

/** DEVICE-A3: what was open is not known to the new process; it is asked again. */
export function onReportInterrupted(draft: BlockDraft, { id }: InputOf<'reportInterrupted'>): void {
  const report = reportOf(draft, id)
  if (report?.state !== 'running' || report.ending !== undefined || report.askedAt === undefined) return
  end(draft, { ...report, reason: 'the server was restarted' }, 'incomplete')
  if (!report.isAutomatic) return
  const model = modelOf(draft)
  putModel(draft, report.subject ? planned(model, report.subject, draft.now) : { ...model, reportDueAt: draft.now })
}

export function endReportsOf(draft: BlockDraft, grantId: string): void {
  for (const report of draft.state.records.all('reports')) {
    if (report.grantId !== grantId || report.state !== 'running' || report.ending !== undefined) continue
    end(draft, { ...report, reason: 'the application that asked for it was disconnected' }, 'incomplete')
  }
}

/** DEVICE-A5: the first boot, and a boot with other firmware. */
export function reportsAfterBoot(draft: BlockDraft, firmwareVersion: string | undefined): void {
  if (wantsMonitors(draft)) lookAgain(draft, 'monitors', jitter(draft.state.chargePointId))
  if (wantsMessages(draft)) lookAgain(draft, 'displayMessages', jitter(draft.state.chargePointId))
  const known = draft.record('device_models', { chargePointId: draft.state.chargePointId })
  const isKnown = known !== undefined && known.firmwareVersion === firmwareVersion
  if (isKnown || (known !== undefined && known.reportDueAt !== undefined)) return
  forgetUnanswered(draft)
  const reportDueAt = draft.now + jitter(draft.state.chargePointId)
  // Other firmware may answer what the former did not.
  putModel(draft, { ...modelOf(draft), failures: 0, asksInTens: false, reportDueAt })
}

/** Reports that are silent, and those whose station does not come back (DEVICE-A3). */
export function endSilentReports(draft: BlockDraft): void {
  for (const report of draft.state.records.all('reports')) {
    if (wakeOfReport(report) > draft.now) continue
    const reason = report.askedAt === undefined ? 'the charge point did not come back' : 'no more pages came'
    end(draft, { ...report, toAsk: [], reason }, 'incomplete')
  }
}

export function wakeOfReport({ state, ending, heardAt, createdAt }: Report): number {
  if (state !== 'running' || ending !== undefined) return Number.POSITIVE_INFINITY
  return heardAt === undefined ? createdAt + WAIT_MS : heardAt + SILENCE_MS
}

/** The same for one charge point every time, and spread evenly over many. */
function jitter(chargePointId: string): number {
  let hash = 7
  for (const character of chargePointId) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return (hash * 7919) % JITTER_MS
}

/** DEVICE-A6: one lost socket may have any cause; a second at this very question has the station asked otherwise. */
function wholeUnanswered(
  draft: BlockDraft,
  report: Report,
  { call, inTens }: NonNullable<InputOf<'reportAnswered'>['whole']>,
  isDropped: boolean,
): void {
  const { chargePointId, accountId, status } = draft.state
  const count = (unanswered.find(draft, {})?.count ?? 0) + 1
  if (count < MAX_UNANSWERED) {
    unanswered.put(draft, { chargePointId, count })
    putReport(draft, { ...report, toAsk: [call, ...report.toAsk] })
    return
  }
  if (!isDropped) {
    goOnInTens(draft, report, inTens)
    return
  }
  forgetUnanswered(draft)
  const put = { accountId, ...modelNameOf(status), provedBy: chargePointId, at: draft.now }
  draft.changeRecord({ kind: 'model_quirks', put })
  putReport(draft, { ...report, isWhole: false, toAsk: inTens })
}

function forgetUnanswered(draft: BlockDraft): void {
  if (unanswered.find(draft, {})) unanswered.remove(draft, {})
}

function goOnInTens(draft: BlockDraft, report: Report, inTens: Report['toAsk']): void {
  forgetUnanswered(draft)
  putModel(draft, { ...modelOf(draft), asksInTens: true })
  putReport(draft, { ...report, isWhole: false, toAsk: inTens })
}

function putBatch(draft: BlockDraft, batch: string, values: readonly ReportedValue[], reportId?: number): void {
  if (values.length === 0) return
  const { chargePointId } = draft.state
  batches.put(draft, { chargePointId, batch, reportId, told: values.map(withoutSecret), at: draft.now })
}
