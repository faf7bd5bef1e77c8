/** Configurations: listed, looked at station by station, made, changed and deleted (CONSOLE-N3, CONSOLE-N4). */

import { check } from '../../application/check-schema.ts'
import {
  type ConfigurationPlace,
  clearValue,
  putConfiguration,
  removeConfiguration,
  stationsOf,
} from '../../application/configuration/orders.ts'
import { noSuch, refuseFault } from '../../application/refuse.ts'
import { SelectorSchema } from '../../application/schemas/selector.ts'
import { selectChargePoints } from '../../domain/blocks/selector.ts'
import type { Configuration } from '../../domain/configuration/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Typed } from '../../web/entries.tsx'
import type { PageContext } from '../../web/site.ts'
import type { ConsolePage, MountConsolePages, OperatorParts } from '../console-parts.ts'
import { ConfirmPage } from '../kit/confirm.tsx'
import { listing } from '../kit/listing.ts'
import { pageOfRows, ROWS_ASKED } from '../kit/page-of-rows.ts'
import { CHOOSING_FIELDS, fieldFaults, labelFaults, typedSelector } from '../selector/selector-form.ts'
import { acting, actingPage, again, type Shown, showing, trying, type Visit } from '../visit.tsx'
import { ConfigurationPage, ConfigurationsPage } from './configurations-page.tsx'
import { STATUS_FILTERS } from './fleet-status.tsx'
import { formOf, nameFault, readConfiguration, secretId } from './form.ts'
import { ConfigurationFormPage } from './form-page.tsx'
import { configurationTexts } from './texts.ts'

const NEW = 'new configuration'
const LIST = '/configurations'
const FIELDS = [...CHOOSING_FIELDS, 'name', 'priority', 'rebootPolicy']

export const addConfigurationPages: MountConsolePages = (page, parts) => {
  page(LIST, { GET: showConfigurations })
  page('/new-configuration', { GET: showNew(parts), POST: create(parts) })
  page('/new-configuration/try', { POST: tryForm(parts, NEW) })
  page(`${LIST}/:name`, { GET: showConfiguration })
  page(`${LIST}/:name/edit`, { GET: showEdit(parts), POST: change(parts) })
  page(`${LIST}/:name/try`, { POST: tryForm(parts, actionOf) })
  page(`${LIST}/:name/delete`, { GET: showDeletion, POST: remove(parts) })
}

/** A form's token is good for one configuration. */
function actionOf(context: PageContext): string {
  return `configuration ${nameOf(context)}`
}

function nameOf({ req }: PageContext): string {
  return req.param('name') ?? ''
}

const showConfigurations: ConsolePage = showing('see', async (visit) => {
  const { site, context, accountId } = visit
  const after = context.req.query('after')
  const found = await site.reads.listRecords('configurations', {
    where: { accountId },
    limit: ROWS_ASKED,
    ...(after !== undefined && { after: { accountId, name: after } }),
  })
  const { rows, last } = pageOfRows(found)
  return <ConfigurationsPage visit={visit} configurations={rows} next={last?.name} />
})

const showConfiguration: ConsolePage = listing('see', STATUS_FILTERS, async (visit, query) => {
  const configuration = await find(visit)
  if (!configuration) return undefined
  const stations = await stationsOf(visit.site, configuration)
  return <ConfigurationPage visit={visit} configuration={configuration} stations={stations} query={query} />
})

function showNew(parts: OperatorParts): ConsolePage {
  return actingPage(async (visit) => formPage(parts, visit, { form: new URLSearchParams(), faults: {} }))
}

function showEdit(parts: OperatorParts): ConsolePage {
  return actingPage(async (visit) => {
    const configuration = await find(visit)
    if (!configuration) return undefined
    const { site, accountId } = visit
    const selected = await selectChargePoints(site.reads, accountId, configuration.selector)
    const typed = { form: formOf(configuration, parts.timeZone), faults: {} }
    const ids = selected.map(({ id }) => id)
    return formPage(parts, visit, typed, ids)
  })
}

/** The same form with more rows and the number of those that it means; nothing is changed by it. */
function tryForm(parts: OperatorParts, action: Parameters<typeof trying>[0]): ConsolePage {
  return trying(action, async (visit, form) => {
    const { site, accountId } = visit
    const checked = check(SelectorSchema, typedSelector(form))
    const faults = [
      ...labelFaults(form),
      ...(checked.ok ? [] : checked.faults.map((fault) => ({ ...fault, pointer: `/selector${fault.pointer}` }))),
    ]
    const typed = { form, faults: fieldFaults(faults, FIELDS) }
    if (!checked.ok || faults.length > 0) return { page: formPage(parts, visit, typed), status: 400 }
    const selected = await selectChargePoints(site.reads, accountId, checked.value)
    const ids = selected.map(({ id }) => id)
    return { page: formPage(parts, visit, typed, ids), status: 200 }
  })
}

function create(parts: OperatorParts): ConsolePage {
  return acting(NEW, async (visit, form) => {
    const { site, accountId, frame } = visit
    const name = (form.get('name') ?? '').trim()
    const wrong = nameFault(name)
    const isTaken = wrong === undefined && (await site.reads.getRecord('configurations', { accountId, name }))
    const done = wrong
      ? refuseFault('/name', 'invalid_value', wrong)
      : isTaken
        ? refuseFault('/name', 'invalid_value', configurationTexts(frame).taken)
        : await put(parts, visit, name, form, undefined)
    return done ? refused(parts, visit, form, done) : `${LIST}/${encodeURIComponent(name)}`
  })
}

function change(parts: OperatorParts): ConsolePage {
  return acting(actionOf, async (visit, form) => {
    const before = await find(visit)
    if (!before) return noSuch('configuration')
    const done = await put(parts, visit, before.name, form, before)
    if (done) return refused(parts, visit, form, done)
    return `${LIST}/${encodeURIComponent(before.name)}`
  })
}

const showDeletion: ConsolePage = actingPage(async (visit) => {
  const configuration = await find(visit)
  if (!configuration) return undefined
  const { frame, csrf, context } = visit
  const words = configurationTexts(frame)
  const path = `${frame.root}${LIST}/${encodeURIComponent(configuration.name)}`
  return (
    <ConfirmPage
      visit={visit}
      title={words.deleteAsk}
      name={configuration.name}
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
    const configuration = await find(visit)
    if (!configuration) return noSuch('configuration')
    await removeConfiguration(placeOf(parts, visit), configuration)
    return LIST
  })
}

/** @returns why nothing was stored */
async function put(
  parts: OperatorParts,
  visit: Visit,
  name: string,
  form: URLSearchParams,
  before: Configuration | undefined,
): Promise<Refusal | undefined> {
  const place = placeOf(parts, visit)
  const { accountId } = visit
  const all = [...(before?.variables ?? []), ...(before?.keys16 ?? [])]
  const secrets = new Map(all.flatMap((one) => (one.isSecret ? [[secretId(one), one]] : [])))
  const asked = readConfiguration(form, (id) => {
    const known = secrets.get(id)
    return known && clearValue(place, accountId, known)
  })
  const done = 'refused' in asked ? asked : await putConfiguration(place, accountId, name, asked)
  return 'refused' in done ? done : undefined
}

function refused(parts: OperatorParts, visit: Visit, form: URLSearchParams, refusal: Refusal): Shown {
  const { detail, errors = [] } = refusal
  const faults = errors.length > 0 ? fieldFaults(errors, FIELDS) : { form: detail }
  return again(formPage(parts, visit, { form, faults }), refusal)
}

/** Of the configuration that the address names; of a new one where it names none. */
function formPage({ timeZone }: OperatorParts, visit: Visit, typed: Typed, selected?: readonly string[]) {
  const name = visit.context.req.param('name')
  const action = name === undefined ? NEW : actionOf(visit.context)
  return <ConfigurationFormPage {...{ visit, action, typed, name, selected, timeZone }} />
}

function placeOf({ core, after }: OperatorParts, { site }: Visit): ConfigurationPlace {
  const { reads, writes, random, now, log, config } = site
  return { reads, writes, core, settings: config, random, now, after, log }
}

async function find({ site, context, accountId }: Visit): Promise<Configuration | undefined> {
  return site.reads.getRecord('configurations', { accountId, name: nameOf(context) })
}
