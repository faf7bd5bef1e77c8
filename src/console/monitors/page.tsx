/** Sets of monitors: listed with what fired, looked at station by station, made, changed, cleared (CONSOLE-N20). */
import { check } from '../../application/check-schema.ts'
import { statusOfFleet } from '../../application/configuration/fleet.ts'
import { type MonitorPlace, putMonitors, removeMonitors } from '../../application/monitors/orders.ts'
import { noSuch, refuseFault } from '../../application/refuse.ts'
import { SelectorSchema } from '../../application/schemas/selector.ts'
import { selectChargePoints } from '../../domain/blocks/selector.ts'
import type { MonitorSet } from '../../domain/monitors/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Typed } from '../../web/entries.tsx'
import type { PageContext } from '../../web/site.ts'
import { STATUS_FILTERS } from '../configuration/fleet-status.tsx'
import { nameFault } from '../configuration/form.ts'
import type { ConsolePage, MountConsolePages, OperatorParts } from '../console-parts.ts'
import { ConfirmPage } from '../kit/confirm.tsx'
import { listing } from '../kit/listing.ts'
import { pageOfRows, ROWS_ASKED } from '../kit/page-of-rows.ts'
import { CHOOSING_FIELDS, fieldFaults, labelFaults, typedSelector } from '../selector/selector-form.ts'
import { acting, actingPage, again, type Shown, showing, trying, type Visit } from '../visit.tsx'
import { formOf, readMonitors } from './form.ts'
import { MonitorFormPage, MonitorSetPage, MonitorSetsPage, TOLD } from './monitor-pages.tsx'
import { monitorTexts } from './texts.ts'

const NEW = 'new monitors'
const LIST = '/monitors'
const FIELDS = [...CHOOSING_FIELDS, 'name']
const MOST_TOLD = 20
const WORK_MS = 300

export const addMonitorPages: MountConsolePages = (page, parts) => {
  page(LIST, { GET: showSets(parts) })
  page('/new-monitors', { GET: actingPage(async (visit) => formPage(visit, NOTHING)), POST: create(parts) })
  page('/new-monitors/try', { POST: tryForm(NEW) })
  page(`${LIST}/:name`, { GET: showSet })
  page(`${LIST}/:name/edit`, { GET: showEdit, POST: change(parts) })
  page(`${LIST}/:name/try`, { POST: tryForm(actionOf) })
  page(`${LIST}/:name/delete`, { GET: showDeletion, POST: remove(parts) })
}

const NOTHING: Typed = { form: new URLSearchParams(), faults: {} }

/** A form's token is good for one set. */
function actionOf({ req }: PageContext): string {
  return `monitors ${req.param('name') ?? ''}`
}

function showSets({ searchLog, salt }: OperatorParts): ConsolePage {
  return showing('see', async (visit) => {
    const { site, context, accountId } = visit
    const { reads } = site
    const name = context.req.query('after')
    const log = searchLog({ accountId, lane: 'page', signal: context.req.raw.signal })
    const [found, told] = await Promise.all([
      reads.listRecords('monitor_sets', {
        where: { accountId },
        limit: ROWS_ASKED,
        after: name === undefined ? undefined : { accountId, name },
      }),
      log.searchNetwork({
        accountId,
        fromId: 0,
        toId: (await reads.greatestCommandId()) + 1,
        filter: { methods: [TOLD] },
        limit: MOST_TOLD,
        workMs: WORK_MS,
      }),
    ])
    const { rows, last } = pageOfRows(found)
    return <MonitorSetsPage visit={visit} sets={rows} next={last?.name} told={told.rows} salt={salt} />
  })
}

const showSet: ConsolePage = listing('see', STATUS_FILTERS, async (visit, query) => {
  const set = await find(visit)
  if (!set) return undefined
  const isOf = ({ source }: { readonly source?: { readonly monitors?: readonly string[] | undefined } | undefined }) =>
    source?.monitors?.includes(set.name) === true
  const stations = await statusOfFleet(visit.site.reads, set, isOf)
  return <MonitorSetPage visit={visit} set={set} stations={stations} query={query} />
})

const showEdit: ConsolePage = actingPage(async (visit) => {
  const set = await find(visit)
  if (!set) return undefined
  const selected = await selectChargePoints(visit.site.reads, visit.accountId, set.selector)
  return formPage(
    visit,
    { form: formOf(set), faults: {} },
    selected.map(({ id }) => id),
  )
})

/** The same form with more rows and the number of those that it means; nothing is changed by it. */
function tryForm(action: Parameters<typeof trying>[0]): ConsolePage {
  return trying(action, async (visit, form) => {
    const checked = check(SelectorSchema, typedSelector(form))
    const faults = [
      ...labelFaults(form),
      ...(checked.ok ? [] : checked.faults.map((fault) => ({ ...fault, pointer: `/selector${fault.pointer}` }))),
    ]
    const typed = { form, faults: fieldFaults(faults, FIELDS) }
    if (!checked.ok || faults.length > 0) return { page: formPage(visit, typed), status: 400 }
    const selected = await selectChargePoints(visit.site.reads, visit.accountId, checked.value)
    const ids = selected.map(({ id }) => id)
    return { page: formPage(visit, typed, ids), status: 200 }
  })
}

function create(parts: OperatorParts): ConsolePage {
  return acting(NEW, async (visit, form) => {
    const { site, accountId, frame } = visit
    const name = (form.get('name') ?? '').trim()
    const wrong = nameFault(name)
    if (wrong) return refused(visit, form, refuseFault('/name', 'invalid_value', wrong))
    if (await site.reads.getRecord('monitor_sets', { accountId, name })) {
      return refused(visit, form, refuseFault('/name', 'invalid_value', monitorTexts(frame).taken))
    }
    return put(parts, visit, form, { name })
  })
}

function change(parts: OperatorParts): ConsolePage {
  return acting(actionOf, async (visit, form) => {
    const before = await find(visit)
    return before ? put(parts, visit, form, before) : noSuch('set of monitors')
  })
}

async function put(
  parts: OperatorParts,
  visit: Visit,
  form: URLSearchParams,
  { name, grantId }: Pick<MonitorSet, 'name' | 'grantId'>,
): Promise<string | Shown> {
  const asked = readMonitors(form, monitorTexts(visit.frame).badPlace)
  if ('refused' in asked) return refused(visit, form, asked)
  const { selector, monitors } = asked
  const set = { accountId: visit.accountId, name, selector, grantId }
  const done = await putMonitors(placeOf(parts, visit), set, monitors)
  return 'refused' in done ? refused(visit, form, done) : `${LIST}/${encodeURIComponent(name)}`
}

function refused(visit: Visit, form: URLSearchParams, refusal: Refusal): Shown {
  const { detail, errors = [] } = refusal
  const faults = errors.length > 0 ? fieldFaults(errors, FIELDS) : { form: detail }
  return again(formPage(visit, { form, faults }), refusal)
}

const showDeletion: ConsolePage = actingPage(async (visit) => {
  const set = await find(visit)
  if (!set) return undefined
  const { frame, csrf, context } = visit
  const words = monitorTexts(frame)
  const path = `${frame.root}${LIST}/${encodeURIComponent(set.name)}`
  return (
    <ConfirmPage
      visit={visit}
      title={words.deleteAsk}
      name={set.name}
      lead={words.deleteLead}
      to={`${path}/delete`}
      sent={[['csrf', csrf(actionOf(context))]]}
      button={words.delete}
      back={path}
    />
  )
})

function remove(parts: OperatorParts): ConsolePage {
  return acting(actionOf, async (visit) => {
    const set = await find(visit)
    if (!set) return noSuch('set of monitors')
    await removeMonitors(placeOf(parts, visit), set)
    return LIST
  })
}

/** Of the set that the address names; of a new one where it names none. */
function formPage(visit: Visit, typed: Typed, selected?: readonly string[]) {
  const name = visit.context.req.param('name')
  const action = name === undefined ? NEW : actionOf(visit.context)
  return <MonitorFormPage {...{ visit, action, typed, name, selected }} />
}

function placeOf({ core, after }: OperatorParts, { site }: Visit): MonitorPlace {
  const { reads, writes, now, log } = site
  return { reads, writes, core, now, after, log }
}

function find({ site, context, accountId }: Visit): Promise<MonitorSet | undefined> {
  return site.reads.getRecord('monitor_sets', { accountId, name: context.req.param('name') ?? '' })
}
