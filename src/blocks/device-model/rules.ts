/** What becomes of reports and of what they bring (DEVICE-A1 to DEVICE-A9). */
import type { BlockDraft } from '../../ports/blocks.ts'
import type { Outcome } from '../../ports/sessions.ts'
import { intentsMeet } from '../intents/rules.ts'
import { isWhole, withPage } from './pages.ts'
import type { DeviceModel, DeviceModelInput, Report, ReportedValue, ReportState } from './records.ts'
import { withoutSecret } from './secret-value.ts'

type Of<Kind extends DeviceModelInput['kind']> = Extract<DeviceModelInput, { readonly kind: Kind }>

/** Stations that begin to count their own requests at 1 keep clear of ours. */
const REPORTS_FROM = 2 ** 30
const REPORTS_KEPT = 20
/** DEVICE-A3 */
const SILENCE_MS = 120_000
/** Nothing of it was sent for so long: its station is away. */
const WAIT_MS = 24 * 3600_000
/** DEVICE-A5: spread over this long after the boot. */
const JITTER_MS = 30_000
const FIRST_RETRY_MS = 5 * 60_000
const LONGEST_RETRY_MS = 24 * 3600_000

export function onReportWanted(draft: BlockDraft, input: Of<'reportWanted'>): Outcome {
  const { chargePointId } = draft.state
  const known = draft.state.records.all('reports')
  const id = Math.max(REPORTS_FROM, ...known.map((report) => report.id)) + 1
  const toAsk = input.calls.map(({ method, request }) => ({
    method,
    request: input.needsRequestId ? { requestId: id, ...request } : request,
  }))
  const over = known.filter(({ state }) => state !== 'running')
  for (const { id: old } of over.slice(0, Math.max(0, known.length + 1 - REPORTS_KEPT))) {
    draft.changeRecord({ kind: 'reports', remove: { chargePointId, id: old } })
  }
  if (known.length - over.length >= REPORTS_KEPT) return { refused: 'too_many_reports' }
  putReport(draft, {
    chargePointId,
    id,
    state: 'running',
    isWhole: input.isWhole,
    isAutomatic: input.isAutomatic,
    toAsk,
    seen: [],
    truncated: false,
    variableCount: 0,
    createdAt: draft.now,
    updatedAt: draft.now,
  })
  if (input.isAutomatic) {
    const { firmwareVersion } = draft.state.status
    const { reportDueAt: _, firmwareVersion: _f, ...model } = modelOf(draft)
    putModel(draft, { ...model, ...(firmwareVersion !== undefined && { firmwareVersion }) })
  }
  return { reportId: id }
}

export function onReportAsked(draft: BlockDraft, { id }: Of<'reportAsked'>): Outcome {
  const report = reportOf(draft, id)
  if (!report) return {}
  putReport(draft, { ...report, toAsk: report.toAsk.slice(1), askedAt: draft.now, heardAt: draft.now })
  return {}
}

export function onReportAnswered(draft: BlockDraft, { id, answer, inTens }: Of<'reportAnswered'>): Outcome {
  const report = reportOf(draft, id)
  if (report?.state !== 'running' || report.ending !== undefined) return {}
  const heard: Report = { ...report, heardAt: draft.now }
  switch (answer.outcome) {
    case 'accepted':
      putReport(draft, heard)
      return {}
    case 'empty':
      end(draft, { ...heard, isWhole: false }, 'complete')
      return {}
    case 'values':
      putBatch(draft, answer.batch, answer.values, id)
      if (report.toAsk.length === 0) end(draft, heard, 'complete')
      else putReport(draft, heard)
      return {}
    case 'rejected':
      if (inTens) goOnInTens(draft, heard, inTens, false)
      else end(draft, { ...heard, reason: answer.reason }, 'rejected')
      return {}
    case 'failed':
      // Nothing of it was heard: it is asked again where it stood.
      if (inTens && !answer.isUnsent) goOnInTens(draft, heard, inTens, answer.isDropped)
      else end(draft, { ...heard, reason: answer.reason }, 'incomplete')
      return {}
  }
}

/** DEVICE-A2: pages in any order, a repetition changes nothing. */
export function onReportPage(draft: BlockDraft, input: Of<'reportPage'>): Outcome {
  const { requestId, sequence, isLast, batch, values } = input
  const report = requestId === undefined ? undefined : reportOf(draft, requestId)
  const isFollowed = report !== undefined && (report.state === 'running' || report.state === 'incomplete')
  if (!isFollowed || report.ending === 'complete') {
    putBatch(draft, batch, values)
    return {}
  }
  const seen = sequence === undefined ? undefined : withPage(report.seen, sequence)
  if (seen === report.seen) return {}
  const { ending: _, reason: _r, ...open } = report
  const heard: Report = { ...open, state: 'running', heardAt: draft.now }
  if (seen === undefined) {
    // Without a number nobody knows what is missing; with one out of reach it has no end.
    putBatch(draft, batch, values)
    const isEndless = sequence !== undefined
    end(
      draft,
      { ...heard, truncated: heard.truncated || isEndless, reason: 'its pages cannot be counted' },
      'incomplete',
    )
    return {}
  }
  putBatch(draft, batch, values, report.id)
  const lastSequence = isLast ? sequence : report.lastSequence
  const counted: Report = { ...heard, seen, ...(lastSequence !== undefined && { lastSequence }) }
  if (isWhole(seen, lastSequence)) end(draft, counted, 'complete')
  else putReport(draft, counted)
  return {}
}

export function onValuesReported(
  draft: BlockDraft,
  { batch, values }: Pick<Of<'valuesReported'>, 'batch' | 'values'>,
): Outcome {
  putBatch(draft, batch, values)
  return {}
}

export function onValuesPlaced(draft: BlockDraft, input: Of<'valuesPlaced'>): Outcome {
  for (const row of input.rows) draft.changeRecord({ kind: 'variables', put: row })
  const { chargePointId } = draft.state
  if (input.batch !== undefined) {
    draft.changeRecord({ kind: 'value_batches', remove: { chargePointId, batch: input.batch } })
  }
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
  return {}
}

export function onVariablesGone(draft: BlockDraft, { rows }: Of<'variablesGone'>): Outcome {
  for (const row of rows) draft.changeRecord({ kind: 'variables', put: { ...row, gone: true, updatedAt: draft.now } })
  return {}
}

export function onReportPlaced(draft: BlockDraft, { id }: Of<'reportPlaced'>): Outcome {
  const report = reportOf(draft, id)
  if (report?.ending === undefined) return {}
  const { ending, ...rest } = report
  putReport(draft, { ...rest, state: ending, updatedAt: draft.now })
  return {}
}

/** DEVICE-A3: what was open is not known to the new process; it is asked again. */
export function onReportInterrupted(draft: BlockDraft, { id }: Of<'reportInterrupted'>): Outcome {
  const report = reportOf(draft, id)
  if (report?.state !== 'running' || report.ending !== undefined || report.askedAt === undefined) return {}
  end(draft, { ...report, reason: 'the server was restarted' }, 'incomplete')
  if (report.isAutomatic) putModel(draft, { ...modelOf(draft), reportDueAt: draft.now })
  return {}
}

/** DEVICE-A5: the first boot, and a boot with other firmware. */
export function reportsAfterBoot(draft: BlockDraft, firmwareVersion: string | undefined): void {
  const known = draft.record('device_models', { chargePointId: draft.state.chargePointId })
  const isKnown = known !== undefined && known.firmwareVersion === firmwareVersion
  if (isKnown || (known !== undefined && known.reportDueAt !== undefined)) return
  putModel(draft, { ...modelOf(draft), failures: 0, reportDueAt: draft.now + jitter(draft.state.chargePointId) })
}

/** Time passed: reports that are silent, and those whose station does not come back (DEVICE-A3). */
export function endSilentReports(draft: BlockDraft): void {
  for (const report of draft.state.records.all('reports')) {
    if (wakeOfReport(report) > draft.now) continue
    const reason = report.askedAt === undefined ? 'the charge point did not come back' : 'no more pages came'
    end(draft, { ...report, toAsk: [], reason }, 'incomplete')
  }
}

/** When the clock matters next for it. */
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

/** Nothing more is awaited; once all of it is among the variables this is its state. */
function end(draft: BlockDraft, report: Report, ending: ReportState): void {
  putReport(draft, { ...report, toAsk: [], ending, updatedAt: draft.now })
  if (!report.isAutomatic) return
  const { reportDueAt: _, ...model } = modelOf(draft)
  if (ending !== 'incomplete') {
    putModel(draft, { ...model, failures: 0 })
    return
  }
  const failures = model.failures + 1
  const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(12, failures - 1))
  putModel(draft, { ...model, failures, reportDueAt: draft.now + wait })
}

/** DEVICE-A6 */
function goOnInTens(draft: BlockDraft, report: Report, inTens: Report['toAsk'], isDropped: boolean): void {
  const { vendor = '', model = '' } = draft.state.status
  putModel(draft, { ...modelOf(draft), asksInTens: true })
  if (isDropped) draft.changeRecord({ kind: 'station_models', put: { vendor, model, asksInTens: true } })
  putReport(draft, { ...report, isWhole: false, toAsk: inTens })
}

function putBatch(draft: BlockDraft, batch: string, values: readonly ReportedValue[], reportId?: number): void {
  if (values.length === 0) return
  const put = {
    chargePointId: draft.state.chargePointId,
    batch,
    ...(reportId !== undefined && { reportId }),
    told: values.map(withoutSecret),
    at: draft.now,
  }
  draft.changeRecord({ kind: 'value_batches', put })
}

function reportOf(draft: BlockDraft, id: number): Report | undefined {
  return draft.record('reports', { chargePointId: draft.state.chargePointId, id })
}

function modelOf(draft: BlockDraft): DeviceModel {
  const { chargePointId } = draft.state
  const known = draft.record('device_models', { chargePointId })
  return known ?? { chargePointId, failures: 0, asksInTens: false, limits: {}, variableCount: 0 }
}

function putReport(draft: BlockDraft, put: Report): void {
  draft.changeRecord({ kind: 'reports', put })
}

function putModel(draft: BlockDraft, put: DeviceModel): void {
  draft.changeRecord({ kind: 'device_models', put })
}
