/** The device model of one charge point: looked at, reported anew, set (CONSOLE-N1, CONSOLE-N2). */
import type { FC } from 'hono/jsx'
import { intentNameOf, intentsOn, unsettable, wantValue, withdrawIntent } from '../../application/intents/orders.ts'
import { modelNameOf, type Report, type StoredVariable } from '../../domain/device-model/records.ts'
import { isSecretVariable, MASKED, nameText } from '../../domain/device-model/variable-names.ts'
import { INTENT_KINDS } from '../../domain/intents/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { fittingRecords, PART } from '../../domain/records/all-records.ts'
import { noSuch } from '../../domain/refuse.ts'
import { NOTHING_TYPED, type Options, Page, type Typed } from '../../web/entries.tsx'
import { Title } from '../../web/parts/table.tsx'
import { shownTime } from '../../web/times.tsx'
import { actingOnStation, actionOf, ownChargePoint, pathOf } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { asOptions, Form, typedWith } from '../kit/form.tsx'
import { listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { Facts, type VariableTexts, variableTexts } from '../kit/parts.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { actingPage, again, type Visit } from '../visit.tsx'
import { fitsQuery, VARIABLE_FILTERS } from './query.ts'
import { mutabilityText, VariablesPage } from './variables-page.tsx'

export const addVariablePages: MountConsolePages = (page) => {
  page('/charge-points/:chargePoint/variables', { GET: showVariables })
  page('/charge-points/:chargePoint/variable', { GET: showVariable, POST: setVariable })
  page('/charge-points/:chargePoint/reports', { POST: orderReport })
  page('/charge-points/:chargePoint/read-whole', { POST: readWhole })
  page('/charge-points/:chargePoint/intents/withdraw', { POST: withdraw })
}

const showVariables: ConsolePage = listing('see', VARIABLE_FILTERS, async (visit, query) => {
  const view = await ownChargePoint(visit)
  if (!view) return undefined
  const { reads } = visit.site
  const after = visit.context.req.query('after')
  const [chargePoint, found, intents, report, quirk] = await Promise.all([
    shownNow(visit, view),
    query.wrong.length > 0 ? [] : findRows(visit, view.id, fitsQuery(query.requested), after),
    intentsOn({ reads }, view.id),
    newestReport(reads, view.id),
    reads.getRecord('model_quirks', { accountId: visit.accountId, ...modelNameOf(view.status) }),
  ])
  const { rows, last } = pageOfRows(found, visit.frame)
  const requested = new Map(intents.map((intent) => [`${intent.kind} ${intent.key.toLowerCase()}`, intent]))
  const intentOf = (row: StoredVariable) => {
    const { kind, key } = intentNameOf(view, row)
    return requested.get(`${kind} ${key.toLowerCase()}`)
  }
  return (
    <VariablesPage
      visit={visit}
      chargePoint={chargePoint}
      query={query}
      later={after !== undefined}
      rows={rows.map((row) => ({ row, intent: intentOf(row) }))}
      next={last?.key}
      report={report}
      isReadInTens={quirk !== undefined}
      intents={intents}
    />
  )
})

/** DEVICE-A6: charge points like it are asked for all keys again. */
const readWhole: ConsolePage = actingOnStation(async (visit, view) => {
  const { accountId, status } = view
  await visit.site.writes.removeRecords('model_quirks', [{ accountId, ...modelNameOf(status) }])
  return variablesPath(view)
})

function findRows(
  { site: { reads }, frame }: Visit,
  chargePointId: string,
  fits: (row: StoredVariable) => boolean,
  after: string | undefined,
): Promise<readonly StoredVariable[]> {
  return fittingRecords<StoredVariable, Pick<StoredVariable, 'chargePointId' | 'key'>>(
    (from) => reads.listRecords('variables', { where: { chargePointId }, limit: PART, after: from }),
    fits,
    rowsAsked(frame),
    after === undefined ? undefined : { chargePointId, key: after },
  )
}

const MAX_REPORTS = 500

async function newestReport(reads: Reads, chargePointId: string): Promise<Report | undefined> {
  const all = await reads.listRecords('reports', { where: { chargePointId }, limit: MAX_REPORTS })
  return [...all].sort((one, other) => other.createdAt - one.createdAt || other.id - one.id)[0]
}

const orderReport: ConsolePage = actingOnStation(async ({ site: { core } }, view) => {
  const { accountId, id: chargePointId } = view
  const ordered = await core.orderReport({ accountId, chargePointId, ask: { base: 'FullInventory' } })
  return 'refused' in ordered ? ordered : variablesPath(view)
})

const showVariable: ConsolePage = actingPage(async (visit) => {
  const view = await ownChargePoint(visit)
  const row = view && (await rowOf(visit, view))
  return row && variablePage(visit, row)
})

const setVariable: ConsolePage = actingOnStation(async (visit, view, form) => {
  const row = await rowOf(visit, view)
  if (!row) return noSuch('variable')
  const value = form.get('value') ?? ''
  const done = await wantValue(visit.site, view, row, value)
  if (!('refused' in done)) return variablesPath(view, row)
  return again(variablePage(visit, row, typedWith(form, done)), done)
})

const withdraw: ConsolePage = actingOnStation(async (visit, view, form) => {
  const kind = INTENT_KINDS.find((one) => one === form.get('kind'))
  if (!kind) return noSuch('intent')
  const done = await withdrawIntent(visit.site, view, { kind, key: form.get('key') ?? '' })
  return 'refused' in done ? done : variablesPath(view)
})

function rowOf({ site, context }: Visit, { id }: ChargePointView): Promise<StoredVariable | undefined> {
  return site.reads.getRecord('variables', { chargePointId: id, key: context.req.query('key') ?? '' })
}

function variablePage(visit: Visit, row: StoredVariable, typed: Typed = NOTHING_TYPED) {
  return <VariablePage visit={visit} row={row} typed={typed} cannot={unsettable(row)} />
}

function variablesPath({ id }: ChargePointView, row?: StoredVariable): string {
  return `${pathOf(id)}/variables${queryText(row ? { q: row.key } : {})}`
}

interface Props {
  readonly visit: Visit
  readonly row: StoredVariable
  readonly typed: Typed
  readonly cannot: string | undefined
}

const VariablePage: FC<Props> = (props) => {
  const { visit, row, cannot } = props
  const { frame } = visit
  const words = variableTexts(frame)
  const station = chargePointPath(frame, row.chargePointId)
  const { dataType, unit, minLimit, maxLimit, valuesList, persistent, constant, supportsMonitoring } =
    row.characteristics
  const limits = [
    minLimit !== undefined ? words.atLeast(minLimit) : undefined,
    maxLimit !== undefined ? words.atMost(maxLimit) : undefined,
  ]
  return (
    <Page frame={frame} title={words.setVariable}>
      <Title
        text={<bdi class="host">{nameText(row.name)}</bdi>}
        up={[
          [station, row.chargePointId],
          [`${station}/variables`, words.variables],
        ]}
      />
      <div class="card">
        <Facts
          facts={[
            [words.present, row.value],
            [words.type, dataType],
            [words.unit, unit],
            [words.limits, limits.filter((limit) => limit !== undefined).join(', ')],
            [words.values, valuesList],
            [words.mutability, mutabilityText(frame, row)],
            [words.constant, yesOrNo(words, constant)],
            [words.persistent, yesOrNo(words, persistent)],
            [words.supportsMonitoring, yesOrNo(words, supportsMonitoring)],
            [words.reported, shownTime(frame, row.updatedAt)],
          ]}
        />
      </div>
      {cannot === undefined ? (
        <ValueForm {...props} />
      ) : (
        <p class="card warn">
          {words.cannot}: {cannot}.
        </p>
      )}
    </Page>
  )
}

function yesOrNo({ yes, no }: VariableTexts, said: boolean | undefined): string | undefined {
  return said === undefined ? undefined : said ? yes : no
}

const ValueForm: FC<Props> = ({ visit, row, typed }) => {
  const { frame, context } = visit
  const words = variableTexts(frame)
  const isSecret = isSecretVariable({ ...row.name, ...row.characteristics })
  const field = {
    name: 'value',
    label: words.newValue,
    value: row.value === MASKED ? '' : row.value,
    hint: isSecret ? words.secretHint : undefined,
    options: isSecret ? undefined : optionsOf(row),
  }
  return (
    <Form
      visit={visit}
      action={actionOf(context)}
      to={`${chargePointPath(frame, row.chargePointId)}/variable${queryText({ key: row.key })}`}
      typed={typed}
      once
      lead={words.setHint}
      fields={[isSecret ? { ...field, type: 'password', autocomplete: 'new-password' } : field]}
      submit={words.save}
    />
  )
}

/** What there is to choose between; undefined where anything may be typed. */
function optionsOf({ value = '', characteristics }: StoredVariable): Options | undefined {
  const { dataType = '', valuesList = '' } = characteristics
  const type = dataType.toLowerCase()
  const offered = type === 'boolean' ? ['true', 'false'] : type === 'optionlist' ? listed(valuesList) : []
  if (offered.length === 0 || offered.length > MAX_OPTIONS) return undefined
  // A present value that is not offered is an option too, so that no other looks chosen.
  const all = offered.includes(value) ? offered : [value, ...offered]
  return asOptions(all)
}

const MAX_OPTIONS = 100

function listed(valuesList: string): readonly string[] {
  return valuesList
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '')
}
