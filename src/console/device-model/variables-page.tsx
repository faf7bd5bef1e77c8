/** The variables of one charge point: looked at, reported anew, read whole (CONSOLE-N1, DEVICE-A6). */
import type { FC } from 'hono/jsx'
import { intentNameOf, intentsOn, withdrawIntent } from '../../application/intents/orders.ts'
import { modelNameOf, type Report, type StoredVariable } from '../../domain/device-model/records.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import { INTENT_KINDS } from '../../domain/intents/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { fittingRecords, PART } from '../../domain/records/all-records.ts'
import { noSuch } from '../../domain/refuse.ts'
import { Action, type Frame, Page } from '../../web/entries.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Ago } from '../../web/times.tsx'
import { actingOnStation, actionOf, ownChargePoint, pathOf } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { Requested, StateChip } from '../intents/requested.tsx'
import { choice, labelsOf, pageSize, type Requested as RequestedBy, text } from '../kit/filters.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, ButtonLink, Chip, wordsIn } from '../kit/parts.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { mayAct } from '../visit.tsx'

const LONGEST = 500
const label = labelsOf('variables')

const VARIABLE_FILTERS = {
  q: { ...text(label('search'), { longest: LONGEST }), kind: 'search' as const },
  component: text(label('component'), { longest: LONGEST }),
  which: choice(label('which'), ['settable', 'gone'], (frame) => wordsIn('variables', frame).choices),
  size: pageSize,
}

function fitsQuery({ q = '', component = '', which }: RequestedBy<typeof VARIABLE_FILTERS>) {
  const part = q.toLowerCase()
  const named = component.toLowerCase()
  return (row: StoredVariable): boolean =>
    (named === '' || row.componentName === named) &&
    (which !== 'gone' || row.gone) &&
    (which !== 'settable' || isSettable(row)) &&
    (part === '' || nameText(row.name).toLowerCase().includes(part) || row.value?.toLowerCase().includes(part) === true)
}

function isSettable({ gone, characteristics: { mutability, constant } }: StoredVariable): boolean {
  return !gone && constant !== true && mutability?.toLowerCase() !== 'readonly'
}

export const showVariables: ConsolePage = listing('see', VARIABLE_FILTERS, async (visit, query) => {
  const view = await ownChargePoint(visit)
  if (!view) return undefined
  const { site, frame, csrf, context, accountId } = visit
  const { reads } = site
  const { id } = view
  const after = context.req.query('after')
  const where = { chargePointId: id }
  const [chargePoint, found, intents, report, quirk] = await Promise.all([
    shownNow(visit, view),
    query.wrong.length > 0
      ? []
      : fittingRecords<StoredVariable, Pick<StoredVariable, 'chargePointId' | 'key'>>(
          (from) => reads.listRecords('variables', { where, limit: PART, after: from }),
          fitsQuery(query.requested),
          rowsAsked(frame),
          after === undefined ? undefined : { chargePointId: id, key: after },
        ),
    intentsOn({ reads }, id),
    newestReport(reads, id),
    reads.getRecord('model_quirks', { accountId, ...modelNameOf(view.status) }),
  ])
  const { rows, last } = pageOfRows(found, frame)
  const requested = new Map(intents.map((intent) => [`${intent.kind} ${intent.key.toLowerCase()}`, intent]))
  const intentOf = (row: StoredVariable) => {
    const { kind, key } = intentNameOf(view, row)
    return requested.get(`${kind} ${key.toLowerCase()}`)
  }
  const words = wordsIn('variables', frame)
  const station = chargePointPath(frame, id)
  const path = `${station}/variables`
  const token = mayAct(visit) ? csrf(actionOf(context)) : undefined
  return (
    <Page frame={frame} title={`${words.variables} ${id}`} wide live>
      <StationHead visit={visit} chargePoint={chargePoint} at="variables">
        {token !== undefined && <Action to={`${station}/reports`} csrf={token} text={words.reportNow} />}
      </StationHead>
      <p class="soft">{words.lead}</p>
      <div data-live="report">{report && <NewestReport frame={frame} report={report} />}</div>
      {quirk && (
        <div class="card">
          <p>{words.readInTens}</p>
          {token !== undefined && <Action to={`${station}/read-whole`} csrf={token} text={words.readWhole} />}
        </div>
      )}
      <div data-live="requested">
        <Requested
          frame={frame}
          intents={intents}
          withdraw={token === undefined ? undefined : { to: `${station}/intents/withdraw`, csrf: token }}
        />
      </div>
      <FilterForm frame={frame} path={path} filters={VARIABLE_FILTERS} query={query} />
      <div data-live="values">
        <TableCard<StoredVariable>
          label={words.variables}
          oneLine
          rows={rows}
          empty={report || query.isNarrowed ? words.noneFound : words.none}
          columns={[
            {
              title: words.variable,
              kind: 'host',
              whole: (row) => nameText(row.name),
              cell: (row) => (
                <>
                  <bdi>{nameText(row.name)}</bdi> {row.gone && <Chip tone="bad" text={words.gone} />}
                </>
              ),
            },
            {
              title: words.value,
              kind: 'host',
              whole: (row) => row.value,
              cell: (row) => (
                <>
                  <bdi>{row.value}</bdi> <span class="soft">{row.characteristics.unit}</span>
                </>
              ),
            },
            { title: words.mutability, width: 160, wideOnly: true, cell: (row) => mutabilityText(frame, row) },
            ago(frame, words.reported, (row) => row.updatedAt),
            {
              title: words.state,
              width: 160,
              wideOnly: true,
              cell: (row) => {
                const intent = intentOf(row)
                return intent && <StateChip frame={frame} state={intent.state} />
              },
            },
            token !== undefined && {
              title: words.action,
              kind: 'acts',
              width: 88,
              cell: (row) =>
                isSettable(row) && (
                  <ButtonLink to={`${station}/variable${queryText({ key: row.key })}`} text={words.set} />
                ),
            },
          ]}
        />
        <Paging frame={frame} path={path} query={query.asked} later={after !== undefined} next={last?.key} />
      </div>
    </Page>
  )
})

const MAX_REPORTS = 500

async function newestReport(reads: Reads, chargePointId: string): Promise<Report | undefined> {
  const all = await reads.listRecords('reports', { where: { chargePointId }, limit: MAX_REPORTS })
  return [...all].sort((one, other) => other.createdAt - one.createdAt || other.id - one.id)[0]
}

/** DEVICE-A6: charge points like it are asked for all keys again. */
export const readWhole: ConsolePage = actingOnStation(async (visit, view) => {
  const { accountId, status } = view
  await visit.site.writes.removeRecords('model_quirks', [{ accountId, ...modelNameOf(status) }])
  return variablesPath(view)
})

export const orderReport: ConsolePage = actingOnStation(async ({ site: { core } }, view) => {
  const { accountId, id: chargePointId } = view
  const ordered = await core.orderReport({ accountId, chargePointId, ask: { base: 'FullInventory' } })
  return 'refused' in ordered ? ordered : variablesPath(view)
})

export const withdraw: ConsolePage = actingOnStation(async (visit, view, form) => {
  const kind = INTENT_KINDS.find((one) => one === form.get('kind'))
  if (!kind) return noSuch('intent')
  const done = await withdrawIntent(visit.site, view, { kind, key: form.get('key') ?? '' })
  return 'refused' in done ? done : variablesPath(view)
})

export function variablesPath({ id }: ChargePointView, row?: StoredVariable): string {
  return `${pathOf(id)}/variables${queryText(row ? { q: row.key } : {})}`
}

const NewestReport: FC<{ frame: Frame; report: Report }> = ({ frame, report }) => {
  const words = wordsIn('variables', frame)
  return (
    <p>
      {words.lastReport}: <Ago frame={frame} at={report.createdAt} />{' '}
      <Chip
        tone={report.state === 'complete' ? 'good' : report.state === 'running' ? 'amber' : 'bad'}
        text={words.reportStates[report.state]}
      />
      {` · ${words.reportCount(report.variableCount)}`} <bdi class="soft">{report.reason}</bdi>{' '}
      {report.truncated && <span class="amber">{words.truncated}</span>}
    </p>
  )
}

export function mutabilityText(frame: Frame, { characteristics: { mutability } }: StoredVariable): string | undefined {
  return mutability === undefined ? undefined : (wordsIn('variables', frame).mutabilities[mutability] ?? mutability)
}
