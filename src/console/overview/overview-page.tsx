import type { FC } from 'hono/jsx'
import type { EnergySlot, FaultedConnector, NetworkCounts } from '../../domain/ports/storage.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { ConnectorFault } from '../charge-points/connector.tsx'
import type { Refusals } from '../history/history.ts'
import { RefusedConnections } from '../history/history-rows.tsx'
import { Table, TextLink } from '../kit/table.tsx'
import { chargePointPath } from '../paths.ts'
import { Chart } from '../sessions/chart.tsx'
import { Guide } from './guide.tsx'
import { overviewTexts } from './texts.ts'

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
const MILLI_WH_PER_KWH = 1e6

interface Overview {
  readonly now: number
  /** When today began. */
  readonly midnight: number
  readonly counts: NetworkCounts
  readonly faults: readonly FaultedConnector[]
  readonly energy: readonly EnergySlot[]
  readonly refusals: Refusals
  /** Absent: not theirs to see. */
  readonly failing?: number
  /** Commits and folds that failed since the server started. */
  readonly failedWrites: number
  readonly baseUrl: string
  readonly administrator: boolean
  readonly acts: boolean
}

/** Every figure leads to the list that it counts (CONSOLE-A1). */
export const OverviewPage: FC<Overview & { frame: Frame }> = ({ frame, ...overview }) => {
  const { counts, baseUrl, administrator, acts } = overview
  return (
    <Page frame={frame} title={frame.texts.overview} wide live>
      <h1>{frame.texts.overview}</h1>
      <div data-live="overview">
        {counts.chargePoints === 0 ? (
          <Guide frame={frame} baseUrl={baseUrl} administrator={administrator} acts={acts} />
        ) : (
          <>
            <Figures frame={frame} {...overview} />
            <div class="halves">
              <LastDay frame={frame} now={overview.now} energy={overview.energy} />
              <div>
                <Faults frame={frame} faults={overview.faults} />
                <RefusedConnections frame={frame} refusals={overview.refusals} acts={acts} />
              </div>
            </div>
          </>
        )}
      </div>
    </Page>
  )
}

const Figures: FC<Overview & { frame: Frame }> = ({ frame, ...overview }) => {
  const words = overviewTexts(frame)
  const { root } = frame
  const { counts, energy, midnight, failing, failedWrites, baseUrl } = overview
  const stations = `${root}/charge-points?`
  const decided = 'registration=Accepted&registration=Rejected'
  const offline = counts.chargePoints - counts.online - counts.pending
  const today = energy.filter(({ from }) => from >= midnight).reduce((sum, { milliWh }) => sum + milliWh, 0)
  const since = new Date(midnight).toISOString().slice(0, 16)
  const { faulted, charging, powerMilliW, runningSessions } = counts
  const sessions = `${root}/charging-sessions?`
  const kwh = today / MILLI_WH_PER_KWH
  const bad = (count: number): string => (count > 0 ? 'bad' : '')
  const figures: readonly (FigureProps | undefined)[] = [
    { name: 'online', value: counts.online, label: words.online, to: `${stations}online=true&${decided}` },
    { name: 'offline', value: offline, label: words.offline, to: `${stations}online=false&${decided}` },
    { name: 'pending', value: counts.pending, label: words.pending, to: `${stations}registration=Pending` },
    {
      ...{ name: 'faulted', value: faulted, label: words.faulted, tone: bad(faulted) },
      to: `${stations}online=true&status=Faulted`,
    },
    {
      ...{ name: 'charging', value: charging, label: words.charging, tone: charging > 0 ? 'good' : '' },
      to: `${stations}online=true&charging=true`,
    },
    {
      ...{ name: 'power', value: (powerMilliW / MILLI_WH_PER_KWH).toFixed(1), unit: 'kW', label: words.power },
      to: `${sessions}state=charging`,
    },
    {
      // What a network takes in a day is long enough without its watt-hours.
      ...{ name: 'energy', value: kwh.toFixed(kwh < 100 ? 3 : 1), unit: 'kWh', label: words.energyToday },
      to: `${sessions}from=${encodeURIComponent(since)}`,
    },
    { name: 'running', value: runningSessions, label: words.running, to: `${sessions}state=running` },
    failing === undefined
      ? undefined
      : {
          ...{ name: 'webhooks', value: failing, label: words.failingWebhooks, tone: bad(failing) },
          to: `${root}/webhooks`,
        },
    {
      ...{ name: 'server', label: words.server, to: `${baseUrl}/readyz`, tone: bad(failedWrites) || 'good' },
      value: failedWrites === 0 ? words.serverWell : words.serverBehind(failedWrites),
    },
  ]
  return (
    <ul class="figures" aria-label={words.figures}>
      {figures.map((figure) => figure && <Figure {...figure} />)}
    </ul>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: number | string
  readonly label: string
  readonly to: string
  readonly unit?: string
  readonly tone?: string
}

const Figure: FC<FigureProps> = ({ name, value, label, to, unit, tone = '' }) => (
  <li>
    <a class={`figure ${tone}`} href={to} data-figure={name}>
      <strong>{value}</strong>
      {unit !== undefined && ` ${unit}`} <span>{label}</span>
    </a>
  </li>
)

const LastDay: FC<{ frame: Frame; now: number; energy: readonly EnergySlot[] }> = ({ frame, now, energy }) => {
  const words = overviewTexts(frame)
  const to = Math.floor(now / QUARTER_MS) * QUARTER_MS
  const from = to - DAY_MS
  const known = new Map(energy.map((slot) => [slot.from, slot.milliWh]))
  const points = Array.from({ length: DAY_MS / QUARTER_MS }, (_, index) => {
    const at = from + index * QUARTER_MS
    const kwh = Math.max(0, known.get(at) ?? 0) / MILLI_WH_PER_KWH
    return { at: at + QUARTER_MS / 2, value: kwh * 4, kwh }
  })
  const total = points.reduce((sum, { kwh }) => sum + kwh, 0)
  return (
    <section class="card">
      <h2>{words.lastDay}</h2>
      {total === 0 ? (
        <p class="soft">{words.quiet}</p>
      ) : (
        <>
          <Chart kind="power" label={words.chart(total.toFixed(1))} points={points} span={[from, to]} />
          <details>
            <summary>{words.quarters}</summary>
            <Table
              plain
              rows={points.filter(({ kwh }) => kwh > 0)}
              columns={[
                { heads: true, cell: ({ at }) => shownTime(at - QUARTER_MS / 2) },
                { kind: 'number', cell: ({ value }) => `${value.toFixed(1)} kW` },
                { kind: 'number', cell: ({ kwh }) => `${kwh.toFixed(3)} kWh` },
              ]}
            />
          </details>
        </>
      )}
    </section>
  )
}

const Faults: FC<{ frame: Frame; faults: readonly FaultedConnector[] }> = ({ frame, faults }) => {
  const words = overviewTexts(frame)
  return (
    <section class="card">
      <h2>{words.newestFaults}</h2>
      {faults.length === 0 && <p class="soft">{words.noFaults}</p>}
      {faults.length > 0 && (
        <ul class="rows">
          {faults.map(({ chargePointId, name, connector }) => (
            <li>
              <TextLink
                class="host"
                to={`${chargePointPath(frame, chargePointId)}?method=StatusNotification`}
                text={chargePointId}
              />
              {name !== undefined && <bdi class="soft">{name}</bdi>}
              <ConnectorFault frame={frame} connector={connector} placed />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
