/** Limit groups: listed, and each as it is now with its course (CONSOLE-G1, CONSOLE-G2). */

import type { FC } from 'hono/jsx'
import { historyCsv, historyOf, thinnedHistory } from '../../application/limit-groups/history.ts'
import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import { previewGroup } from '../../application/limit-groups/orders.ts'
import { type EvseStatus, statusOf } from '../../application/limit-groups/status.ts'
import type { Proof } from '../../domain/charging/records.ts'
import { groupOf } from '../../domain/limit-groups/desired.ts'
import type { LimitGroup } from '../../domain/limit-groups/records.ts'
import { parseInstant } from '../../domain/message-log/search.ts'
import { refuseFault } from '../../domain/refuse.ts'
import { type Faults, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { csvFile } from '../csv-file.ts'
import {
  ago,
  ButtonLink,
  chip,
  groupFormTexts,
  limitTexts,
  link,
  Nothing,
  stationLimitTexts,
  takenTexts,
} from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { PROOF_TONES } from '../station-limits/schedules.tsx'
import { acting, actingPage, again, answering, mayAct, type Shown, showing, trying, type Visit } from '../visit.tsx'
import type { CourseAsked } from './course-panel.tsx'
import { groupFaults, readGroup, STEP_FIELDS, type StepName, stepOfFaults } from './group-form.ts'
import { OfGroup, PreviewPage, WizardPage } from './group-form-page.tsx'
import { addGroupForms, choicesOf, newName, ownPath, put } from './group-forms.tsx'
import { amps, GroupPage } from './group-page.tsx'
import { addInputPages } from './inputs.tsx'
import { groupPath, NEW_GROUP, ownGroup, WIZARD } from './place.ts'
import { SPANS, type SpanName, stackedCourse, windowOf } from './stacked-course.ts'

export const addLimitPages: MountConsolePages = (page) => {
  page('/limits', { GET: showGroups })
  page('/limits/:name', { GET: showGroup })
  page('/limits/:name/test', { GET: showTaken })
  page('/limits/:name/history.csv', { GET: downloadHistory })
  addGroupForms(page)
  addInputPages(page)
  addWizard(page)
}

const showGroups: ConsolePage = showing('see', async (visit) => {
  const groups = await groupsOfAccount(visit.site, visit.accountId)
  return <GroupsPage {...{ visit, groups, voltage: visit.site.voltage }} />
})

const showGroup: ConsolePage = showing('see', async (visit) => {
  const found = await ownGroup(visit)
  const { accountId } = visit
  const status = found && (await statusOf(visit.site, accountId, found.group.name))
  if (!found || !status) return undefined
  const { group, all } = found
  const feeds = all.filter(({ desired }) => desired.parent === group.name).map(({ name }) => name)
  const asked = askedOf(visit, status.phases)
  const { phase, span } = asked
  const to = asked.to ?? visit.site.now()
  const { stepMs } = SPANS[span]
  const query = { accountId, name: group.name, phase, stepMs, ...windowOf(span, to) }
  const course = stackedCourse(await thinnedHistory(visit.site.reads, query, feeds), phase, span, to)
  return <GroupPage {...{ visit, group, status, voltage: visit.site.voltage, feeds, course, asked }} />
})

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

type GroupsPageProps = { visit: Visit; groups: readonly LimitGroup[]; voltage: number }

const GroupsPage: FC<GroupsPageProps> = ({ visit, groups, voltage }) => {
  const { frame } = visit
  const words = limitTexts(frame)
  const { strategies } = groupFormTexts(frame)
  return (
    <Page frame={frame} title={frame.texts.limits} wide>
      <Title text={frame.texts.limits}>
        {mayAct(visit) && (
          <>
            <ButtonLink to={frame.root + NEW_GROUP} text={words.make} />
            <ButtonLink main to={frame.root + WIZARD} text={words.share} />
          </>
        )}
      </Title>
      {groups.length === 0 ? (
        <section class="card">
          <Nothing text={words.none}>
            <p>{words.noneLead}</p>
          </Nothing>
        </section>
      ) : (
        <TableCard<LimitGroup>
          label={frame.texts.limits}
          oneLine
          rows={inTree(groups)}
          columns={[
            link(words.group, ({ name }) => ({ class: 'name-link', to: groupPath(frame, name), text: name }), {
              whole: ({ name }) => name,
            }),
            { title: words.parent, wideOnly: true, text: ({ desired }) => desired.parent ?? '' },
            {
              title: words.limit,
              kind: 'number',
              width: 136,
              cell: (group) => `${groupOf(group, voltage).phases} × ${amps(frame, groupOf(group, voltage).limitAmps)}`,
            },
            { title: words.shares, wideOnly: true, cell: (group) => strategies[groupOf(group, voltage).strategy] },
          ]}
        />
      )}
    </Page>
  )
}

function inTree(groups: readonly LimitGroup[]): readonly LimitGroup[] {
  const names = new Set(groups.map(({ name }) => name))
  const below = new Map<string, LimitGroup[]>()
  for (const group of groups) {
    const { parent = '' } = group.desired
    const under = names.has(parent) ? parent : ''
    below.set(under, [...(below.get(under) ?? []), group])
  }
  const found: LimitGroup[] = []
  const walk = (name: string): void => {
    for (const group of below.get(name) ?? []) {
      found.push(group)
      walk(group.name)
    }
  }
  walk('')
  return found
}

/** Sharing a connection step by step: nothing is stored before the last button; it ends with a test (CONSOLE-G4). */
const ACTION = 'share a connection'
const STEPS = Object.keys(STEP_FIELDS) as StepName[]
const ALL_STEPS: readonly string[] = [...STEPS, 'preview']

const addWizard: MountConsolePages = (page) => {
  page(WIZARD, { GET: showFirst, POST: finish, names: 'name' })
  page(`${WIZARD}/next`, { POST: goOn })
}

const showFirst: ConsolePage = actingPage((visit) => stepPage(visit, 'connection', NOTHING_TYPED))

const goOn: ConsolePage = trying(ACTION, async (visit, form): Promise<Shown> => {
  const from = ALL_STEPS.indexOf(form.get('step') ?? '')
  const { back, count } = visit.context.req.query()
  const shown = async (step: StepName | undefined, faults: Faults = {}): Promise<Shown> => ({
    page: await stepPage(visit, step ?? 'connection', { form, faults }, step === 'stations'),
    status: Object.keys(faults).length > 0 ? 400 : 200,
  })
  if (back !== undefined) return shown(STEPS[from - 1])
  const tried = await tryGroup(visit, form)
  if (tried.faults) {
    const wrong = stepOfFaults(tried.faults)
    if (STEPS.indexOf(wrong) <= from) return shown(wrong, tried.faults)
  }
  if (count !== undefined) return shown(STEPS[from])
  if (tried.faults || from < STEPS.length - 1) return shown(STEPS[from + 1])
  return { page: <PreviewPage {...{ visit, action: ACTION, form, evses: tried.evses }} />, status: 200 }
})

async function tryGroup(visit: Visit, form: URLSearchParams) {
  const [name, desired] = [await newName(visit, form), readGroup(form)]
  const refusals = [name, desired].flatMap((one) => (typeof one === 'object' && 'refused' in one ? [one] : []))
  if (refusals.length > 0 || typeof name !== 'string' || 'refused' in desired) {
    return { faults: Object.assign({}, ...refusals.map(groupFaults)) as Faults }
  }
  const evses = await previewGroup(visit.site, visit.accountId, name, desired)
  if ('refused' in evses) return { faults: groupFaults(evses) }
  const isEmpty = evses.length === 0 && desired.selector !== undefined
  const words = groupFormTexts(visit.frame)
  return isEmpty ? { faults: groupFaults(refuseFault('/ids', 'invalid_value', words.matchesNone)) } : { evses }
}

async function stepPage(visit: Visit, step: StepName, typed: Typed, counts = false) {
  return <WizardPage {...{ visit, action: ACTION, step, typed, choices: await choicesOf(visit, typed.form, counts) }} />
}

const finish: ConsolePage = acting(ACTION, async (visit, form) => {
  const name = await newName(visit, form)
  const refusal = typeof name === 'string' ? await put(visit, name, form) : name
  if (!refusal) return ownPath(String(name), '/test')
  const faults = groupFaults(refusal)
  return again(await stepPage(visit, stepOfFaults(faults), { form, faults }), refusal)
})

/** Whether the stations of a group have taken its limit, with proof: what making one ends with (CONSOLE-G5). */
interface Taken extends EvseStatus {
  readonly proof?: Proof | undefined
}

const showTaken: ConsolePage = showing('see', async (visit) => {
  const found = await ownGroup(visit)
  const status = found && (await statusOf(visit.site, visit.accountId, found.group.name))
  if (!status) return undefined
  const ids = [...new Set(status.evses.map(({ chargePointId }) => chargePointId))]
  const stations = await Promise.all(
    ids.map((chargePointId) => visit.site.reads.getRecord('charging_stations', { chargePointId })),
  )
  const proofs = new Map(stations.flatMap((one) => (one ? [[one.chargePointId, one.proofs] as const] : [])))
  const rows = status.evses.map(
    (evse): Taken => ({ ...evse, proof: proofs.get(evse.chargePointId)?.[String(evse.evseId)] }),
  )
  return <TakenPage visit={visit} name={status.name} rows={rows} />
})

const TakenPage: FC<{ visit: Visit; name: string; rows: readonly Taken[] }> = ({ visit: { frame }, name, rows }) => {
  const words = takenTexts(frame)
  const [taken, proved] = [rows.filter(hasTaken).length, rows.filter(({ proof }) => proof?.verdict === 'proved').length]
  const said = (evse: Taken): string => {
    if (evse.holdsNoFallback) return words.refuses
    if (hasTaken(evse)) return words.taken1
    return evse.state === 'silent' ? words.away : words.waits
  }
  return (
    <Page frame={frame} title={words.title} wide live>
      <OfGroup frame={frame} name={name} title={words.title}>
        <ButtonLink main to={groupPath(frame, name)} text={words.toGroup} />
      </OfGroup>
      <p class="soft">{words.lead}</p>
      <TableCard<Taken>
        label={words.title}
        heading={`${words.taken(taken, rows.length)} ${words.proved(proved)}`}
        live="taken"
        rows={rows}
        empty={words.none}
        columns={[
          link(words.evse, ({ chargePointId: id, evseId }) => ({
            to: chargePointPath(frame, id),
            text: `${id} / ${evseId}`,
          })),
          chip(words.state, (evse) => [hasTaken(evse) ? '' : evse.holdsNoFallback ? 'bad' : 'amber held', said(evse)]),
          {
            title: words.holds,
            kind: 'number',
            cell: ({ fallbackAmps }) => fallbackAmps !== undefined && amps(frame, fallbackAmps),
          },
          chip(words.proof, ({ proof }) => [
            PROOF_TONES[proof?.verdict ?? 'pending'],
            stationLimitTexts(frame).proofs[proof?.verdict ?? 'pending'],
          ]),
          ago(frame, words.at, ({ proof }) => proof?.at, { wideOnly: false }),
        ]}
      />
    </Page>
  )
}

function hasTaken({ fallbackAmps, holdsNoFallback }: Taken): boolean {
  return fallbackAmps !== undefined && !holdsNoFallback
}
