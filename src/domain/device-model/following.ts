/** A report while it comes in, whatever its subject (DEVICE-A2, DEVICE-A3, MONITOR-A5). */
import type { BlockDraft } from '../ports/blocks.ts'
import type { DeviceModel, Report, ReportState, ReportSubject, SequenceRange } from './records.ts'

const FIRST_RETRY_MS = 5 * 60_000
const MAX_RETRY_MS = 24 * 3600_000

interface ReceivedPage {
  readonly requestId?: number | undefined
  readonly sequence?: number | undefined
  readonly isLast: boolean
}

/** DEVICE-A2. @param keep true: not all of it was kept @returns undefined: none of ours, or the page came before */
export function followPage(
  draft: BlockDraft,
  { requestId, sequence, isLast }: ReceivedPage,
  subject: ReportSubject | undefined,
  keep: (reportId: number | undefined) => boolean,
): Report | undefined {
  const report = requestId === undefined ? undefined : reportOf(draft, requestId)
  const isFollowed = report?.subject === subject && (report?.state === 'running' || report?.state === 'incomplete')
  if (!report || !isFollowed || report.ending === 'complete') {
    keep(undefined)
    return undefined
  }
  const seen = sequence === undefined ? undefined : withPage(report.seen, sequence)
  if (seen === report.seen) return undefined
  const { ending: _, reason: _r, ...open } = report
  const heard: Report = { ...open, state: 'running', heardAt: draft.now }
  if (seen === undefined) {
    // Without a number it is unknown what is missing; with one out of reach it has no end.
    keep(undefined)
    const isEndless = sequence !== undefined
    const truncated = heard.truncated || isEndless
    return end(draft, { ...heard, truncated, reason: 'its pages cannot be counted' }, 'incomplete')
  }
  const truncated = keep(report.id) || heard.truncated
  const lastSequence = isLast ? sequence : report.lastSequence
  const counted: Report = { ...heard, truncated, seen, ...(lastSequence !== undefined && { lastSequence }) }
  if (isWhole(seen, lastSequence)) return end(draft, counted, 'complete')
  putReport(draft, counted)
  return counted
}

export function end(draft: BlockDraft, report: Report, ending: ReportState): Report {
  const ended: Report = { ...report, toAsk: [], ending, updatedAt: draft.now }
  putReport(draft, ended)
  if (report.isAutomatic) {
    const model = modelOf(draft)
    const { subject } = report
    putModel(draft, subject ? subjectAfter(model, subject, ending, draft.now) : after(model, ending, draft.now))
  }
  return ended
}

function after({ reportDueAt: _, ...model }: DeviceModel, ending: ReportState, now: number): DeviceModel {
  if (ending !== 'incomplete') return { ...model, failures: 0 }
  const failures = model.failures + 1
  return { ...model, failures, reportDueAt: now + wait(failures) }
}

/** Where a report of a subject is planned, and how many in a row did not come whole. */
const PLANNED = {
  monitors: { due: 'monitorsDueAt', failures: 'monitorFailures' },
  displayMessages: { due: 'displayDueAt', failures: 'displayFailures' },
} as const satisfies Record<ReportSubject, object>

/** Another report may have been planned meanwhile. */
function subjectAfter(model: DeviceModel, subject: ReportSubject, ending: ReportState, now: number): DeviceModel {
  const names = PLANNED[subject]
  const { [names.failures]: before = 0, ...rest } = model
  if (ending !== 'incomplete') return rest
  const failures = before + 1
  return { ...rest, [names.failures]: failures, [names.due]: model[names.due] ?? now + wait(failures) }
}

export function dueOf(model: DeviceModel | undefined, subject: ReportSubject | undefined): number | undefined {
  return model?.[subject ? PLANNED[subject].due : 'reportDueAt']
}

export function planned(model: DeviceModel, subject: ReportSubject, dueAt: number | undefined): DeviceModel {
  const { [PLANNED[subject].due]: _, ...rest } = model
  return dueAt === undefined ? rest : { ...rest, [PLANNED[subject].due]: dueAt }
}

export function lookAgain(draft: BlockDraft, subject: ReportSubject, waitMs: number): void {
  const model = modelOf(draft)
  const [known, dueAt] = [dueOf(model, subject), draft.now + waitMs]
  if (known === undefined || known < draft.now || known > dueAt) putModel(draft, planned(model, subject, dueAt))
}

function wait(failures: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(12, failures - 1))
}

export function reportOf(draft: BlockDraft, id: number): Report | undefined {
  return draft.record('reports', { chargePointId: draft.state.chargePointId, id })
}

export function modelOf(draft: BlockDraft): DeviceModel {
  const { chargePointId } = draft.state
  const known = draft.record('device_models', { chargePointId })
  return known ?? { chargePointId, failures: 0, asksInTens: false, limits: {}, variableCount: 0 }
}

export function putReport(draft: BlockDraft, put: Report): void {
  draft.changeRecord({ kind: 'reports', put })
}

export function putModel(draft: BlockDraft, put: DeviceModel): void {
  draft.changeRecord({ kind: 'device_models', put })
}

/** Far more than any report has; what sends on and on has lost its place. */
const MAX_PAGES = 10_000
/** Gaps in what came: a station that sends pages in so strange an order is not followed any further. */
const MAX_RANGES = 200

/** With this page; the same list when it came before, undefined when it cannot be kept. */
export function withPage(seen: readonly SequenceRange[], page: number): readonly SequenceRange[] | undefined {
  if (!Number.isSafeInteger(page) || page < 0 || page >= MAX_PAGES) return undefined
  if (seen.some(([first, last]) => page >= first && page <= last)) return seen
  const joined: SequenceRange[] = []
  let [first, last] = [page, page]
  for (const range of seen) {
    if (range[1] + 1 === first) first = range[0]
    else if (range[0] - 1 === last) last = range[1]
    else joined.push(range)
  }
  joined.push([first, last])
  joined.sort((one, other) => one[0] - other[0])
  return joined.length > MAX_RANGES ? undefined : joined
}

/** The newest report that had something: pages of two reports may come mixed (DEVICE-A2). */
export function newestReport(seenIn: number | undefined, reportId: number | undefined): number | undefined {
  return seenIn === undefined || reportId === undefined ? (reportId ?? seenIn) : Math.max(seenIn, reportId)
}

export function isWhole(seen: readonly SequenceRange[], lastPage: number | undefined): boolean {
  const [range, ...others] = seen
  return lastPage !== undefined && others.length === 0 && range?.[0] === 0 && range[1] >= lastPage
}
