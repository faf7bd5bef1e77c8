/** How far each charge point is with what is wanted of a fleet, narrowed by state (CONFIG-A11). */
import type { FC } from 'hono/jsx'
import { countsOf, type StationStatus } from '../../domain/configuration/status.ts'
import { INTENT_STATES } from '../../domain/intents/records.ts'
import { TableCard } from '../../web/parts/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { StateChip } from '../intents/wanted.tsx'
import { ago, cutOff, station } from '../kit/columns.tsx'
import { faultOf } from '../kit/filter-form.tsx'
import { kept, type ListQuery, pageSize } from '../kit/filters.ts'
import { Paging, Tabs } from '../kit/list.tsx'
import { pageOfRows } from '../kit/page-of-rows.ts'
import { configurationTexts, intentTexts } from '../kit/texts.ts'
import { translated } from '../kit/translated.ts'
import type { Visit } from '../visit.tsx'

export const STATUS_FILTERS = { state: kept(INTENT_STATES), size: pageSize }

export const FleetStatus: FC<{
  readonly visit: Visit
  readonly path: string
  readonly stations: readonly StationStatus[]
  readonly query: ListQuery<typeof STATUS_FILTERS>
  readonly empty: string
}> = ({ visit: { frame, context }, path, stations, query, empty }) => {
  const words = configurationTexts(frame)
  const { state } = query.requested
  const { after = '' } = context.req.query()
  const counts = countsOf(stations)
  const fitting = stations.filter((one) => (!state || one.state === state) && one.evseControllerId > after)
  const { rows, last } = pageOfRows(fitting, frame)
  return (
    <TableCard<StationStatus>
      live="status"
      heading={words.status}
      oneLine
      before={
        <>
          {query.wrong.length > 0 && <Warning>{faultOf(frame, STATUS_FILTERS, query)}</Warning>}
          <Tabs
            frame={frame}
            path={path}
            name="state"
            chosen={state}
            options={[
              [undefined, `${words.all} ${stations.length}`],
              ...INTENT_STATES.filter((one) => counts[one] !== undefined).map(
                (one) => [one, `${intentTexts(frame).states[one]} ${counts[one]}`] as const,
              ),
            ]}
          />
        </>
      }
      rows={rows}
      empty={empty}
      columns={[
        station(frame, words.station, ({ evseControllerId }) => evseControllerId, { below: '/variables' }),
        { title: words.state, width: 200, cell: (row) => <StateChip frame={frame} state={row.state} /> },
        cutOff(words.reason, ({ reason = '' }) => translated(frame, reason), { wideOnly: true }),
        ago(frame, words.changed, ({ updatedAt }) => Date.parse(updatedAt)),
      ]}
      after={
        <Paging frame={frame} path={path} query={query.asked} later={after !== ''} next={last?.evseControllerId} />
      }
    />
  )
}
