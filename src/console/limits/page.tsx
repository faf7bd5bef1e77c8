/** Limit groups: listed, and each as it is now with its course (CONSOLE-G1, CONSOLE-G2). */
import { historyCsv, historyOf, thinnedHistory } from '../../application/limit-groups/history.ts'
import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import { statusOf } from '../../application/limit-groups/status.ts'
import { parseInstant } from '../../domain/message-log/search.ts'
import type { ConsolePage, MountConsolePages, OperatorContext } from '../console-parts.ts'
import { csvFile } from '../csv-file.ts'
import { answering, showing, type Visit } from '../visit.tsx'
import type { CourseAsked } from './course-panel.tsx'
import { addGroupForms } from './group-forms.tsx'
import { GroupPage } from './group-page.tsx'
import { GroupsPage } from './groups-page.tsx'
import { addInputPages } from './inputs.tsx'
import { ownGroup, placeOf } from './place.ts'
import { SPANS, type SpanName, stackedCourse, windowOf } from './stacked-course.ts'
import { showTaken } from './taken-page.tsx'
import { addWizard } from './wizard.tsx'

export const addLimitPages: MountConsolePages = (page, parts) => {
  page('/limits', { GET: showGroups(parts) })
  page('/limits/:name', { GET: showGroup(parts) })
  page('/limits/:name/test', { GET: showTaken(parts) })
  page('/limits/:name/history.csv', { GET: downloadHistory })
  addGroupForms(page, parts)
  addInputPages(page, parts)
  addWizard(page, parts)
}

function showGroups({ voltage }: OperatorContext): ConsolePage {
  return showing('see', async (visit) => {
    const groups = await groupsOfAccount(visit.site, visit.accountId)
    return <GroupsPage {...{ visit, groups, voltage }} />
  })
}

function showGroup(parts: OperatorContext): ConsolePage {
  return showing('see', async (visit) => {
    const found = await ownGroup(visit)
    const { accountId } = visit
    const status = found && (await statusOf(placeOf(parts, visit), accountId, found.group.name))
    if (!found || !status) return undefined
    const { group, all } = found
    const feeds = all.filter(({ desired }) => desired.parent === group.name).map(({ name }) => name)
    const asked = askedOf(visit, status.phases)
    const { phase, span } = asked
    const to = asked.to ?? visit.site.now()
    const { stepMs } = SPANS[span]
    const query = { accountId, name: group.name, phase, stepMs, ...windowOf(span, to) }
    const course = stackedCourse(await thinnedHistory(visit.site.reads, query, feeds), phase, span, to)
    return <GroupPage {...{ visit, group, status, voltage: parts.voltage, feeds, course, asked }} />
  })
}

function askedOf({ context, site }: Visit, phases: 1 | 3): CourseAsked {
  const { phase = '1', span, to, all } = context.req.query()
  const at = to === undefined ? undefined : parseInstant(to)?.ceilMs
  return {
    phase: phases === 1 ? 0 : phase === '2' ? 1 : phase === '3' ? 2 : 0,
    span: (Object.keys(SPANS) as SpanName[]).find((one) => one === span) ?? 'day',
    all: all === 'yes',
    ...(at !== undefined && at > 0 && at < site.now() && { to: at }),
  }
}

/** As the API's; the last day unless the address says otherwise. */
const downloadHistory: ConsolePage = answering('see', async (visit) => {
  const found = await ownGroup(visit)
  if (!found) return undefined
  const { from, to } = visit.context.req.query()
  const at = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : parseInstant(text)?.ceilMs
  const rows = await historyOf(visit.site, found.group, at(from), at(to))
  if ('refused' in rows) return undefined
  const chunks = (async function* () {
    yield historyCsv(rows)
  })()
  return csvFile(visit.context, { name: `${found.group.name}.csv`, chunks })
})
