import type { Child } from 'hono/jsx'
import {
  type ConfigurationContext,
  type Desired,
  removeDesired,
  statusOfFleet,
} from '../../application/configuration/orders.ts'
import { countsOf, type StationStatus } from '../../domain/configuration/status.ts'
import { INTENT_STATES, type Intent } from '../../domain/intents/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuseFault, refuseFaults } from '../../domain/refuse.ts'
import { type Frame, NOTHING_TYPED, Page, type Typed, Warning } from '../../web/entries.tsx'
import { type Columns, TableCard, Title } from '../../web/parts/table.tsx'
import type { PageContext } from '../../web/site.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { StateChip } from '../intents/requested.tsx'
import { kept, pageSize } from '../kit/filters.ts'
import { Deletion, type Fields, Form, typedWith } from '../kit/form.tsx'
import { faultOf, Paging, StateTabs } from '../kit/list.tsx'
import { listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, ButtonLink, cutOff, link, sharedWords, station, wordsIn } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import { SelectorText, selectorFields, selectorText } from '../selector/choosing.tsx'
import { selectedBy, selectorFaults } from '../selector/selector-form.ts'
import { acting, actingPage, again, mayAct, type Shown, showing, trying, type Visit } from '../visit.tsx'
import { nameFault } from './form.ts'

interface FleetSets<Set extends Desired> {
  /** Names its list, and its texts. */
  readonly plural: 'configurations' | 'monitors'
  readonly fresh: string
  readonly what: string
  readonly kind: 'configurations' | 'monitor_sets'
  readonly columns: (frame: Frame) => Columns<Set>
  readonly below?: ((visit: Visit) => Promise<Child>) | undefined
  readonly about: (frame: Frame, set: Set) => Child
  /** @param trial where the form is sent for more rows */
  readonly fields: (frame: Frame, typed: Typed, trial: string, timeZone: string) => Fields
  readonly formOf: (set: Set, timeZone: string) => URLSearchParams
  readonly cameOf: (intent: Intent, name: string) => boolean
  readonly put: (
    place: ConfigurationContext,
    form: URLSearchParams,
    requested: { readonly accountId: string; readonly name: string; readonly before: Set | undefined },
  ) => Promise<{ readonly after: Set } | Refusal>
}

/** How far each charge point of a fleet is with its desired state (CONFIG-A11). */
const STATUS_FILTERS = { state: kept(INTENT_STATES), size: pageSize }

export function fleetSetPages<Set extends Desired>(sets: FleetSets<Set>): MountConsolePages {
  const { plural, fresh, what, kind } = sets
  const list = `/${plural}`

  const nameOf = ({ req }: PageContext): string | undefined => req.param('name')
  const actionOf = (context: PageContext): string => `${what} ${nameOf(context) ?? ''}`
  const pathOf = (name: string): string => `${list}/${encodeURIComponent(name)}`
  const find = ({ site, context, accountId }: Visit, name = nameOf(context) ?? '') =>
    site.reads.getRecord(kind, { accountId, name }) as Promise<Set | undefined>

  const showList: ConsolePage = showing('see', async (visit) => {
    const { site, context, accountId, frame } = visit
    const name = context.req.query('after')
    const after = name === undefined ? undefined : { accountId, name }
    const found = await site.reads.listRecords(kind, { where: { accountId }, limit: rowsAsked(frame), after })
    const { rows, last } = pageOfRows(found as unknown as readonly Set[], frame)
    const [texts, words] = [wordsIn(plural, frame), sharedWords(frame)]
    return (
      <Page frame={frame} title={texts.title} wide live>
        <Title text={texts.title}>
          {mayAct(visit) && <ButtonLink main to={frame.root + fresh} text={texts.make} />}
        </Title>
        <p class="soft">{texts.lead}</p>
        <TableCard<Set>
          label={texts.title}
          oneLine
          rows={rows}
          empty={texts.none}
          columns={[
            link(words.name, ({ name }) => ({ to: frame.root + pathOf(name), text: name }), { kind: 'name' }),
            cutOff(words.chargePoints, ({ selector }) => selectorText(frame, selector)),
            ...sets.columns(frame),
            ago(frame, words.changed, ({ updatedAt }) => updatedAt),
          ]}
          after={<Paging frame={frame} path={frame.root + list} next={last?.name} />}
        />
        {await sets.below?.(visit)}
      </Page>
    )
  })

  const showOne: ConsolePage = listing('see', STATUS_FILTERS, async (visit, query) => {
    const set = await find(visit)
    if (!set) return undefined
    const { frame, site, context } = visit
    const [texts, words, path] = [wordsIn(plural, frame), sharedWords(frame), frame.root + pathOf(set.name)]
    const { state } = query.requested
    const { after = '' } = context.req.query()
    const stations = await statusOfFleet(site.reads, set, (intent) => sets.cameOf(intent, set.name))
    const fitting = stations.filter((one) => (!state || one.state === state) && one.evseControllerId > after)
    const { rows, last } = pageOfRows(fitting, frame)
    const status = wordsIn('configurations', frame)
    return (
      <Page frame={frame} title={set.name} wide live>
        <Title
          text={<bdi>{set.name}</bdi>}
          said={<SelectorText frame={frame} selector={set.selector} />}
          up={[[frame.root + list, texts.title]]}
        >
          {mayAct(visit) && (
            <>
              <ButtonLink to={`${path}/edit`} text={words.edit} />
              <Deletion visit={visit} action={actionOf(context)} of={path} ask={texts.deleteLead} what={set.name} />
            </>
          )}
        </Title>
        {sets.about(frame, set)}
        <TableCard<StationStatus>
          live="status"
          heading={status.status}
          oneLine
          before={
            <>
              {query.wrong.length > 0 && <Warning>{faultOf(frame, STATUS_FILTERS, query)}</Warning>}
              <StateTabs
                {...{ frame, path, chosen: state, states: INTENT_STATES, words: wordsIn('intents', frame).states }}
                counts={countsOf(stations)}
                all={stations.length}
              />
            </>
          }
          rows={rows}
          empty={texts.noStations}
          columns={[
            station(frame, status.station, ({ evseControllerId }) => evseControllerId, { below: '/variables' }),
            { title: status.state, width: 200, cell: (row) => <StateChip frame={frame} state={row.state} /> },
            cutOff(status.reason, ({ reason = '' }) => translated(frame, reason), { wideOnly: true }),
            ago(frame, words.changed, ({ updatedAt }) => Date.parse(updatedAt)),
          ]}
          after={
            <Paging frame={frame} path={path} query={query.asked} later={after !== ''} next={last?.evseControllerId} />
          }
        />
      </Page>
    )
  })

  const formPage = (visit: Visit, typed: Typed, selected?: readonly string[]) => {
    const { frame, context } = visit
    const [texts, words, name] = [wordsIn(plural, frame), sharedWords(frame), nameOf(context)]
    const own = name === undefined ? undefined : frame.root + pathOf(name)
    const trial = `${own ?? frame.root + fresh}/try`
    return (
      <Page frame={frame} title={name ?? texts.make} wide>
        <Title
          text={name === undefined ? texts.make : words.edit}
          up={[[frame.root + list, texts.title], own !== undefined && [own, name]]}
        />
        <Form
          visit={visit}
          action={actionOf(context)}
          to={own ? `${own}/edit` : frame.root + fresh}
          typed={typed}
          refused={words.notSaved}
          once
          trial={trial}
          fields={[
            name === undefined && { name: 'name', label: words.name, hint: words.nameHint, required: true },
            selectorFields(frame, typed, trial, selected),
            ...sets.fields(frame, typed, trial, visit.site.timeZone),
          ]}
          submit={words.save}
          back={own ?? frame.root + list}
        />
      </Page>
    )
  }

  const showNew: ConsolePage = actingPage(async (visit) => formPage(visit, NOTHING_TYPED))

  const showEdit: ConsolePage = actingPage(async (visit) => {
    const set = await find(visit)
    if (!set) return undefined
    const typed = { form: sets.formOf(set, visit.site.timeZone), faults: {} }
    return formPage(visit, typed, await selectedBy(visit, typed.form))
  })

  /** Only counts and adds rows; nothing is changed by it. */
  const tryForm: ConsolePage = trying(actionOf, async (visit, form) => {
    const selected = await selectedBy(visit, form)
    if (selected) return { page: formPage(visit, { form, faults: {} }, selected), status: 200 }
    return { page: formPage(visit, typedWith(form, refuseFaults(selectorFaults(form)))), status: 400 }
  })

  const put = async (
    visit: Visit,
    form: URLSearchParams,
    { name, before }: { readonly name: string; readonly before?: Set | undefined },
  ): Promise<string | Shown> => {
    const { accountId } = visit
    const wrong = nameFault(name)
    const isTaken = !(before || wrong) && (await find(visit, name)) !== undefined
    const unusable = wrong ?? (isTaken ? wordsIn(plural, visit.frame).taken : undefined)
    const done =
      unusable === undefined
        ? await sets.put(visit.site, form, { accountId, name, before })
        : refuseFault('/name', 'invalid_value', unusable)
    return 'refused' in done ? again(formPage(visit, typedWith(form, done)), done) : pathOf(name)
  }

  const create: ConsolePage = acting(actionOf, (visit, form) =>
    put(visit, form, { name: (form.get('name') ?? '').trim() }),
  )

  const change: ConsolePage = acting(actionOf, async (visit, form) => {
    const before = await find(visit)
    return before ? put(visit, form, { name: before.name, before }) : noSuch(what)
  })

  const remove: ConsolePage = acting(actionOf, async (visit) => {
    const set = await find(visit)
    if (!set) return noSuch(what)
    await removeDesired(visit.site, kind, set)
    return list
  })

  return (page) => {
    page(list, { GET: showList })
    page(fresh, { GET: showNew, POST: create, names: 'name' })
    page(`${fresh}/try`, { POST: tryForm })
    page(`${list}/:name`, { GET: showOne })
    page(`${list}/:name/edit`, { GET: showEdit, POST: change })
    page(`${list}/:name/try`, { POST: tryForm })
    page(`${list}/:name/delete`, { POST: remove })
  }
}
