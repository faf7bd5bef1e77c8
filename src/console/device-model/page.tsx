/** The device model of one charge point: looked at, reported anew, set (CONSOLE-N1, CONSOLE-N2). */

import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { intentNameOf, intentsOn, unsettable, wantValue, withdrawIntent } from '../../application/intents/orders.ts'
import { modelNameOf, type Report, type StoredVariable } from '../../domain/device-model/records.ts'
import { INTENT_KINDS } from '../../domain/intents/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { fittingRecords, PART } from '../../domain/records/all-records.ts'
import { noSuch } from '../../domain/refuse.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import { actingOnStation, ownChargePoint, pathOf } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import type { ConsolePage, MountConsolePages, OperatorContext } from '../console-parts.ts'
import { listing } from '../kit/listing.ts'
import { pageOfRows, rowsAsked } from '../kit/page-of-rows.ts'
import { typedWith } from '../kit/typed.ts'
import { queryText } from '../paths.ts'
import { actingPage, again, type Visit } from '../visit.tsx'
import { fitsQuery, VARIABLE_FILTERS } from './query.ts'
import { VariablePage } from './variable-page.tsx'
import { VariablesPage } from './variables-page.tsx'

export const addVariablePages: MountConsolePages = (page, parts) => {
  page('/charge-points/:chargePoint/variables', { GET: showVariables(parts) })
  page('/charge-points/:chargePoint/variable', { GET: showVariable, POST: setVariable(parts) })
  page('/charge-points/:chargePoint/reports', { POST: orderReport(parts) })
  page('/charge-points/:chargePoint/read-whole', { POST: readWhole })
  page('/charge-points/:chargePoint/intents/withdraw', { POST: withdraw(parts) })
}

function showVariables(parts: OperatorContext): ConsolePage {
  return listing('see', VARIABLE_FILTERS, async (visit, query) => {
    const view = await ownChargePoint(visit)
    if (!view) return undefined
    const { reads } = visit.site
    const after = visit.context.req.query('after')
    const [chargePoint, found, intents, report, quirk] = await Promise.all([
      shownNow(parts, visit, view),
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
}

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

function orderReport({ core }: OperatorContext): ConsolePage {
  return actingOnStation(async (_visit, view) => {
    const { accountId, id: chargePointId } = view
    const ordered = await core.orderReport({ accountId, chargePointId, ask: { base: 'FullInventory' } })
    return 'refused' in ordered ? ordered : variablesPath(view)
  })
}

const showVariable: ConsolePage = actingPage(async (visit) => {
  const view = await ownChargePoint(visit)
  const row = view && (await rowOf(visit, view))
  return row && variablePage(visit, row)
})

function setVariable({ core }: OperatorContext): ConsolePage {
  return actingOnStation(async (visit, view, form) => {
    const row = await rowOf(visit, view)
    if (!row) return noSuch('variable')
    const value = form.get('value') ?? ''
    const done = await wantValue(placeOf(visit, core), view, row, value)
    if (!('refused' in done)) return variablesPath(view, row)
    return again(variablePage(visit, row, typedWith(form, done)), done)
  })
}

function withdraw({ core }: OperatorContext): ConsolePage {
  return actingOnStation(async (visit, view, form) => {
    const kind = INTENT_KINDS.find((one) => one === form.get('kind'))
    if (!kind) return noSuch('intent')
    const done = await withdrawIntent(placeOf(visit, core), view, { kind, key: form.get('key') ?? '' })
    return 'refused' in done ? done : variablesPath(view)
  })
}

function placeOf({ site: { reads, random, config } }: Visit, core: OperatorContext['core']) {
  return { reads, core, random, settings: config }
}

function rowOf({ site, context }: Visit, { id }: ChargePointView): Promise<StoredVariable | undefined> {
  return site.reads.getRecord('variables', { chargePointId: id, key: context.req.query('key') ?? '' })
}

function variablePage(visit: Visit, row: StoredVariable, typed: Typed = NOTHING_TYPED) {
  return <VariablePage visit={visit} row={row} typed={typed} cannot={unsettable(row)} />
}

function variablesPath({ id }: ChargePointView, row?: StoredVariable): string {
  return `${pathOf(id)}/variables${queryText(row ? { q: row.key } : {})}`
}
