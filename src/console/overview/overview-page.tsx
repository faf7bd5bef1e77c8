import type { FC } from 'hono/jsx'
import type { EnergySlot, FaultedConnector, NetworkCounts } from '../../domain/ports/storage.ts'
import { scaled, shownFigure, shownPower } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Since, shownTime } from '../../web/times.tsx'
import type { Refusals } from '../history/history.ts'
import { RefusedConnections } from '../history/history-rows.tsx'
import { Table, TableCard, TextLink } from '../kit/table.tsx'
import { chargePointPath } from '../paths.ts'
import { Chart } from '../sessions/chart.tsx'
import { shownEnergy } from '../shown-figures.tsx'
import { Guide } from './guide.tsx'
import type { Outage } from './outage.ts'
import { Outages } from './outages.tsx'
import { overviewTexts } from './texts.ts'

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
const MILLI_WH_PER_KWH = 1e6

interface Overview {
  readonly now: number
  /** When today began. */
  readonly midnight: number
  readonly counts: NetworkCounts
  readonly outages: readonly Outage[]
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
            <Outages frame={frame} outages={overview.outages} />
            <Faults frame={frame} faults={overview.faults} />
            <Figures frame={frame} {...overview} />
            <div class="cols">
              <LastDay frame={frame} now={overview.now} energy={overview.energy} />
              <RefusedConnections frame={frame} refusals={overview.refusals} acts={acts} />
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
  const [kilowatts, energyToday] = [
    scaled(frame, powerMilliW / MILLI_WH_PER_KWH, 'W'),
    scaled(frame, today / MILLI_WH_PER_KWH, 'Wh'),
  ]
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
      ...{ name: 'power', value: kilowatts.figure, unit: kilowatts.unit, label: words.power },
      to: `${sessions}state=charging`,
    },
    {
      ...{ name: 'energy', value: energyToday.figure, unit: energyToday.unit, label: words.energyToday },
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
    <ul class="card figures" aria-label={words.figures}>
      {figures.map((figure) => figure && <Figure frame={frame} {...figure} />)}
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

const Figure: FC<FigureProps & { frame: Frame }> = ({ frame, name, value, label, to, unit, tone = '' }) => (
  <li>
    <a class={`figure ${tone}`} href={to} data-figure={name}>
      <strong>
        {typeof value === 'number' ? shownFigure(frame, value) : value}
        {unit !== undefined && (
          <>
            {' '}
            <small>{unit}</small>
          </>
        )}
      </strong>{' '}
      <span>{label}</span>
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
          <Chart
            frame={frame}
            kind="power"
            label={words.chart(shownFigure(frame, total, 1))}
            points={points}
            span={[from, to]}
          />
          <details>
            <summary>{words.quarters}</summary>
            <Table
              plain
              rows={points.filter(({ kwh }) => kwh > 0)}
              columns={[
                { heads: true, cell: ({ at }) => shownTime(frame, at - QUARTER_MS / 2) },
                { kind: 'number', cell: ({ value }) => shownPower(frame, value) },
                { kind: 'number', cell: ({ kwh }) => shownEnergy(frame, { energyKwh: kwh }) },
              ]}
            />
          </details>
        </>
      )}
    </section>
  )
}

/** What needs somebody stands first: which station, what it says, and for how long. */
const Faults: FC<{ frame: Frame; faults: readonly FaultedConnector[] }> = ({ frame, faults }) => {
  const words = overviewTexts(frame)
  const codeOf = ({ connector: { errorCode, status } }: FaultedConnector): string =>
    errorCode === undefined || errorCode === 'NoError' ? status : errorCode
  const toldOf = ({ connector: { vendorErrorCode, info } }: FaultedConnector): string =>
    [vendorErrorCode, info].filter((part) => part !== undefined).join(' ')
  return (
    <TableCard<FaultedConnector>
      label={words.newestFaults}
      heading={words.newestFaults}
      rows={faults}
      oneLine
      empty={words.noFaults}
      columns={[
        {
          ...{ title: words.faultStation, width: 136, whole: ({ chargePointId }) => chargePointId },
          cell: ({ chargePointId }) => (
            <TextLink
              class="name-link"
              to={`${chargePointPath(frame, chargePointId)}?method=StatusNotification`}
              text={chargePointId}
            />
          ),
        },
        { title: words.faultName, wideOnly: true, text: ({ name }) => name, whole: ({ name }) => name },
        {
          ...{ title: words.faultError, width: 240, whole: codeOf },
          cell: (fault) => <bdi class="chip bad">{codeOf(fault)}</bdi>,
        },
        { title: words.faultTold, wideOnly: true, text: toldOf, whole: toldOf },
        {
          ...{ title: words.faultFor, kind: 'number' as const, width: 104 as const },
          cell: ({ connector: { since, updatedAt } }) => <Since frame={frame} at={since ?? updatedAt} />,
        },
      ]}
    />
  )
}
