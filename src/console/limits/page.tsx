/** Limit groups: listed, and each as it is now, EVSE by EVSE with the reason of its share (CONSOLE-N13). */
import type { FC } from 'hono/jsx'
import { historyOf } from '../../application/limit-groups/history.ts'
import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import { type EvseStatus, type GroupStatus, statusOf } from '../../application/limit-groups/status.ts'
import { groupOf } from '../../domain/limit-groups/desired.ts'
import { reasonText } from '../../domain/limit-groups/reason-words.ts'
import type { LimitGroup, LimitMinute } from '../../domain/limit-groups/records.ts'
import { shownFigure } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import type { ConsolePage, MountConsolePages, OperatorParts } from '../console-parts.ts'
import { Facts } from '../kit/facts.tsx'
import { Panel } from '../kit/panel.tsx'
import { TableCard, TextLink } from '../kit/table.tsx'
import { chargePointPath } from '../paths.ts'
import { Chart } from '../sessions/chart.tsx'
import { showing, type Visit } from '../visit.tsx'
import { limitTexts } from './texts.ts'

export const addLimitPages: MountConsolePages = (page, parts) => {
  page('/limits', { GET: showGroups(parts) })
  page('/limits/:name', { GET: showGroup(parts) })
}

const showGroups = ({ voltage }: OperatorParts): ConsolePage =>
  showing('see', async (visit) => {
    const { site, frame, accountId } = visit
    const words = limitTexts(frame)
    const groups = await groupsOfAccount(site, accountId)
    return (
      <Page frame={frame} title={frame.texts.limits} wide>
        <h1>{frame.texts.limits}</h1>
        <TableCard
          label={frame.texts.limits}
          plain
          rows={groups}
          empty={words.none}
          columns={[
            {
              title: words.group,
              cell: ({ name }: LimitGroup) => <TextLink to={`${frame.root}/limits/${name}`} text={name} />,
            },
            { title: words.parent, text: ({ desired }: LimitGroup) => desired.parent ?? '' },
            {
              title: words.limit,
              kind: 'number',
              cell: (group: LimitGroup) => `${amps(frame, groupOf(group, voltage).limitAmps)} A`,
            },
          ]}
        />
      </Page>
    )
  })

function showGroup({ core, voltage }: OperatorParts): ConsolePage {
  return showing('see', async (visit) => {
    const { site, context, accountId } = visit
    const name = context.req.param('name') ?? ''
    const status = await statusOf({ reads: site.reads, core, now: site.now, settings: { voltage } }, accountId, name)
    if (!status) return undefined
    const history = await historyOf(site, { accountId, name })
    return <GroupPage visit={visit} status={status} minutes={'refused' in history ? [] : history} />
  })
}

const GroupPage: FC<{ visit: Visit; status: GroupStatus; minutes: readonly LimitMinute[] }> = ({
  visit: { frame },
  status: { name, phases, state, planned, drawAmps, evses },
  minutes,
}) => {
  const words = limitTexts(frame)
  const { limitAmps, loadAmps, external } = planned.capacity
  const each = (all: readonly number[]): string =>
    all
      .slice(0, phases)
      .map((one) => amps(frame, one))
      .join(' · ')
  return (
    <Page frame={frame} title={name} wide>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <Panel title={words.now} said={words.states[state]} live="now">
        <Facts
          facts={[
            [words.limit, `${each(limitAmps)} A`],
            [words.load, loadAmps && `${each(loadAmps)} A`],
            [words.mayDraw, `${each(planned.mayDraw)} A`],
            [words.draws, `${each(drawAmps)} A`],
            [words.ordered, external && <bdi>{external.source}</bdi>],
          ]}
        />
      </Panel>
      <TableCard
        label={words.shares}
        heading={words.shares}
        live="shares"
        rows={evses}
        empty={words.noEvses}
        columns={[
          {
            title: words.chargePoint,
            cell: ({ chargePointId, evseId }: EvseStatus) => (
              <TextLink to={chargePointPath(frame, chargePointId)} text={`${chargePointId} / ${evseId}`} />
            ),
          },
          { title: words.state, cell: (evse: EvseStatus) => words.evseStates[evse.state] },
          { title: words.mayDraw, kind: 'number', cell: (evse: EvseStatus) => `${amps(frame, evse.mayDrawAmps)} A` },
          {
            title: words.draws,
            kind: 'number',
            cell: ({ drawAmps: drawn }: EvseStatus) => drawn !== undefined && `${amps(frame, drawn)} A`,
          },
          { title: words.reason, cell: ({ reason }: EvseStatus) => reasonText(reason, frame.language) },
        ]}
      />
      <Day frame={frame} minutes={minutes} />
    </Page>
  )
}

const Day: FC<{ frame: Frame; minutes: readonly LimitMinute[] }> = ({ frame, minutes }) => {
  const words = limitTexts(frame)
  const [first, last] = [minutes[0], minutes.at(-1)]
  if (!first || !last) return null
  const points = minutes.map(({ at, drawAmps }) => ({ at, value: Math.max(0, ...drawAmps) }))
  const most = amps(frame, Math.max(...points.map(({ value }) => value)))
  return (
    <div class="cols">
      <Panel title={words.day}>
        <Chart frame={frame} kind="power" label={words.dayOf(most)} points={points} span={[first.at, last.at]} />
      </Panel>
    </div>
  )
}

function amps(frame: Frame, value: number): string {
  return shownFigure(frame, value, 1)
}
