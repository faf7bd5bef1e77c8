import type { FC } from 'hono/jsx'
import type { Report, StoredVariable } from '../../domain/device-model/records.ts'
import { nameText } from '../../domain/device-model/variable-names.ts'
import type { Intent } from '../../domain/intents/records.ts'
import { Action, type Frame, Page } from '../../web/entries.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Ago } from '../../web/times.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import type { ShownChargePoint } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import { Requested, StateChip } from '../intents/requested.tsx'
import type { ListQuery } from '../kit/filters.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { ago, ButtonLink, Chip, variableTexts } from '../kit/parts.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { isSettable, VARIABLE_FILTERS } from './query.ts'

interface ShownVariable {
  readonly row: StoredVariable
  readonly intent: Intent | undefined
}

export const VariablesPage: FC<{
  readonly visit: Visit
  readonly chargePoint: ShownChargePoint
  readonly query: ListQuery<typeof VARIABLE_FILTERS>
  readonly later: boolean
  readonly rows: readonly ShownVariable[]
  readonly next: string | undefined
  readonly report: Report | undefined
  /** Its model dropped its connection when it was asked for all keys (DEVICE-A6). */
  readonly isReadInTens: boolean
  readonly intents: readonly Intent[]
}> = (props) => {
  const { visit, chargePoint, query, later, rows, next, report, isReadInTens, intents } = props
  const { frame, csrf, context } = visit
  const words = variableTexts(frame)
  const { id } = chargePoint.view
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
      {isReadInTens && (
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
        <TableCard<ShownVariable>
          label={words.variables}
          oneLine
          rows={rows}
          empty={report || query.isNarrowed ? words.noneFound : words.none}
          columns={[
            {
              title: words.variable,
              kind: 'host',
              whole: ({ row }) => nameText(row.name),
              cell: ({ row }) => (
                <>
                  <bdi>{nameText(row.name)}</bdi> {row.gone && <Chip tone="bad" text={words.gone} />}
                </>
              ),
            },
            {
              title: words.value,
              kind: 'host',
              whole: ({ row }) => row.value,
              cell: ({ row }) => (
                <>
                  <bdi>{row.value}</bdi> <span class="soft">{row.characteristics.unit}</span>
                </>
              ),
            },
            { title: words.mutability, width: 160, wideOnly: true, cell: ({ row }) => mutabilityText(frame, row) },
            ago(frame, words.reported, ({ row }) => row.updatedAt),
            {
              title: words.state,
              width: 160,
              wideOnly: true,
              cell: ({ intent }) => intent && <StateChip frame={frame} state={intent.state} />,
            },
            token !== undefined && {
              title: words.action,
              kind: 'acts',
              width: 88,
              cell: ({ row }) =>
                isSettable(row) && (
                  <ButtonLink to={`${station}/variable${queryText({ key: row.key })}`} text={words.set} />
                ),
            },
          ]}
        />
        <Paging frame={frame} path={path} query={query.asked} later={later} next={next} />
      </div>
    </Page>
  )
}

const NewestReport: FC<{ frame: Frame; report: Report }> = ({ frame, report }) => {
  const words = variableTexts(frame)
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
  return mutability === undefined ? undefined : (variableTexts(frame).mutabilities[mutability] ?? mutability)
}
