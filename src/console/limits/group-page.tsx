/** One limit group as it is now: each phase, each EVSE with its share and why, and its course (CONSOLE-G1). */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { thinnedHistory } from '../../application/limit-groups/history.ts'
import { groupsOfAccount } from '../../application/limit-groups/members.ts'
import { reasonText } from '../../application/limit-groups/reason-words.ts'
import { type EvseStatus, type GroupStatus, statusOf } from '../../application/limit-groups/status.ts'
import { groupOf } from '../../domain/limit-groups/desired.ts'
import type { Group } from '../../domain/limit-groups/group.ts'
import { parseInstant } from '../../domain/message-log/search.ts'
import { type Frame, Page } from '../../web/entries.tsx'
import { shownFigure, shownPower } from '../../web/figures.tsx'
import { Crumb, TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import { shownClock } from '../../web/times.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { Deletion } from '../kit/form.tsx'
import { Banner, Bar, ButtonLink, Chip, chip, figure, link, wordsIn } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { type CourseAsked, CoursePanel, queryOf } from './course-panel.tsx'
import { actionOf, GROUPS, groupPath, showingGroup } from './place.ts'
import { shadeOf } from './stacked-chart.tsx'
import { SPANS, type SpanName, type StackedCourse, stackedCourse, windowOf } from './stacked-course.ts'

export const showGroup: ConsolePage = showingGroup('see', async (visit, group) => {
  const { accountId, frame, site } = visit
  const [status, all] = await Promise.all([statusOf(site, accountId, group.name), groupsOfAccount(site, accountId)])
  if (!status) return undefined
  const feeds = all.filter(({ desired }) => desired.parent === group.name).map(({ name }) => name)
  const asked = askedOf(visit, status.phases)
  const { phase, span } = asked
  const to = asked.to ?? site.now()
  const query = { accountId, name: group.name, phase, stepMs: SPANS[span].stepMs, ...windowOf(span, to) }
  const course = stackedCourse(await thinnedHistory(site.reads, query, feeds), phase, span, to)
  const { voltage } = site
  const words = wordsIn('limitGroups', frame)
  const { name, desired } = group
  const path = (step: string): string => groupPath(frame, name, step)
  return (
    <Page frame={frame} title={name} wide live>
      <Crumb
        ways={[
          [frame.root + GROUPS, frame.texts.limits],
          desired.parent !== undefined && [groupPath(frame, desired.parent), desired.parent],
        ]}
      />
      <div data-live="head">
        <Title text={<bdi>{name}</bdi>} said={<Said frame={frame} status={status} voltage={voltage} />}>
          <ButtonLink to={path('/test')} text={words.test} />
          {mayAct(visit) && (
            <>
              <ButtonLink to={path('/inputs')} text={words.inputs} />
              <Deletion
                visit={visit}
                action={actionOf(visit.context)}
                of={path('')}
                ask={words.deleteLead}
                what={name}
              />
              <ButtonLink main to={path('/edit')} text={words.change} />
            </>
          )}
        </Title>
      </div>
      <div data-live="orders">
        <Reported frame={frame} safeAmps={groupOf(group, voltage).safeAmps} status={status} />
      </div>
      <div class="cols third" data-live="phases">
        <Phases frame={frame} status={status} />
      </div>
      <CoursePanel frame={frame} name={name} phases={status.phases} course={course} asked={asked} />
      <Shares frame={frame} group={groupOf(group, voltage)} status={status} course={course} asked={asked} />
      {feeds.length > 0 && (
        <p class="soft">
          {words.feeds}{' '}
          {feeds.map((child) => (
            <>
              <TextLink to={groupPath(frame, child)} text={child} />{' '}
            </>
          ))}
        </p>
      )}
    </Page>
  )
})

function askedOf({ context, site }: Visit, phases: 1 | 3): CourseAsked {
  const { phase = '1', span, to, all } = context.req.query()
  const at = to === undefined ? undefined : parseInstant(to)?.ceilMs
  return {
    phase: phases === 1 ? 0 : phase === '2' ? 1 : phase === '3' ? 2 : 0,
    span: (Object.keys(SPANS) as SpanName[]).find((one) => one === span) ?? 'day',
    all: all === 'yes',
    ...(at !== undefined && at > 0 && at < site.now() && { to: at }),
  }
}

const TONES = { ok: '', safe: 'amber', exceeded: 'bad', unproved: 'amber' } as const

type SaidProps = { frame: Frame; status: GroupStatus; voltage: number }

const Said: FC<SaidProps> = ({ frame, status: { state, evses, drawAmps, planned, phases }, voltage }) => {
  const words = wordsIn('limitGroups', frame)
  const count = (one: EvseStatus['state']): number => evses.filter(({ state: is }) => is === one).length
  const kilowatts = (amps: readonly number[]): number =>
    (amps.slice(0, phases).reduce((sum, one) => sum + one, 0) * voltage) / 1000
  return (
    <>
      <Chip tone={TONES[state]} text={words.states[state]} /> {words.counts(evses.length, count('charging'))}
      {count('paused') > 0 && words.alsoWaiting(count('paused'))} ·{' '}
      {words.powerOf(shownPower(frame, kilowatts(drawAmps)), shownPower(frame, kilowatts(planned.capacity.limitAmps)))}
    </>
  )
}

const Reported: FC<{ frame: Frame; safeAmps: number; status: GroupStatus }> = ({ frame, safeAmps, status }) => {
  const words = wordsIn('limitGroups', frame)
  const { capacity } = status.planned
  const { external } = capacity
  return (
    <>
      {external && (
        <Banner
          tone={external.state === 'active' ? 'waits' : 'quiet'}
          title={
            <>
              {words.orderedBy} <bdi>{external.source}</bdi>:
            </>
          }
          reported={words.orders[external.state](amps(frame, external.amps), shownClock(frame, external.until))}
        />
      )}
      {capacity.isStale && (
        <Banner tone="quiet" title={words.meterSilent} reported={words.meterFallsTo(amps(frame, safeAmps))} />
      )}
      {status.state === 'exceeded' && <Banner tone="quiet" title={words.exceededTitle} reported={words.exceededLead} />}
    </>
  )
}

const Phases: FC<{ frame: Frame; status: GroupStatus }> = ({ frame, status }) => {
  const words = wordsIn('limitGroups', frame)
  const { phases, planned, drawAmps } = status
  const { limitAmps, loadAmps, amps: forCars } = planned.capacity
  const all = [0, 1, 2].slice(0, phases) as (0 | 1 | 2)[]
  const left = all.map((phase) => forCars[phase] - planned.mayDraw[phase])
  const tightest =
    phases === 3 && Math.max(...left) - Math.min(...left) > 1 ? left.indexOf(Math.min(...left)) : undefined
  return (
    <>
      {all.map((phase) => {
        const [limit, building, drawn] = [limitAmps[phase], loadAmps?.[phase] ?? 0, drawAmps[phase]]
        const together = building + drawn
        const isAbove = together > limit + 0.05
        return (
          <section class="card phase" aria-label={`L${phase + 1}`}>
            <p>
              <span>{`L${phase + 1}`}</span>
              <b>
                {shownFigure(frame, together, 0)} <small>{words.ofAmps(shownFigure(frame, limit, 0))}</small>
              </b>
            </p>
            <Bar
              label={words.phaseOf(`L${phase + 1}`, amps(frame, together), amps(frame, limit))}
              most={Math.max(limit, together)}
              parts={[
                ['grey', building],
                [isAbove ? 'bad' : 'fill', drawn],
              ]}
            />
            <p class="small soft">
              <span>
                {[
                  loadAmps && words.building(amps(frame, building)),
                  words.mayDrawTogether(amps(frame, planned.mayDraw[phase])),
                  phase === tightest && words.setsShares,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <span>
                {isAbove ? words.tooMuch(amps(frame, together - limit)) : words.left(amps(frame, limit - together))}
              </span>
            </p>
          </section>
        )
      })}
    </>
  )
}

const EVSE_TONES = { charging: 'charging', idle: '', paused: '', silent: 'amber held', ignoring: 'bad' } as const
const ORDER = ['ignoring', 'charging', 'paused', 'silent', 'idle'] as const

const EVSES_SHOWN = 100

type SharesProps = { frame: Frame; group: Group; status: GroupStatus; course: StackedCourse; asked: CourseAsked }

const Shares: FC<SharesProps> = ({ frame, group, status, course, asked }) => {
  const words = wordsIn('limitGroups', frame)
  const { minAmps, bufferAmps, leaseMs, fallbackAmps } = group
  const evses = status.evses.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
  const rows = asked.all ? evses : evses.slice(0, EVSES_SHOWN)
  const most = Math.max(1, ...evses.map(({ mayDrawAmps }) => mayDrawAmps))
  const why = (evse: EvseStatus): string => reasonText(evse.reason, frame.language)
  const hasGroups = rows.some((evse) => evse.group !== group.name)
  const swatch = ({ chargePointId, evseId, group: leaf }: EvseStatus): string | undefined => {
    const at = course.bands.findIndex((band) =>
      band.group === undefined ? band.chargePointId === chargePointId && band.evseId === evseId : band.group === leaf,
    )
    return at < 0 ? undefined : shadeOf(at)
  }
  return (
    <TableCard<EvseStatus>
      heading={words.shares}
      live="shares"
      oneLine
      rows={rows}
      empty={words.noEvses}
      after={
        <footer class="small soft">
          {[
            words.leastPerCar(amps(frame, minAmps)),
            words.reserve(amps(frame, bufferAmps)),
            fallbackAmps === undefined ? words.fallbackOwn : words.fallbackTo(amps(frame, fallbackAmps)),
            words.after(leaseMs / 1000),
          ].join(' ')}{' '}
          {rows.length < evses.length && (
            <a href={groupPath(frame, group.name, '', queryOf({ ...asked, all: true }))}>
              {words.more(evses.length - rows.length)}
            </a>
          )}
        </footer>
      }
      columns={[
        {
          title: words.evse,
          width: 160,
          whole: (evse) => `${evse.chargePointId} / ${evse.evseId}`,
          cell: (evse) => (
            <>
              <svg class="sw" aria-hidden="true">
                {swatch(evse) !== undefined && <rect class={swatch(evse)} width="10" height="10" rx="2" />}
              </svg>
              <TextLink
                class="name-link"
                to={chargePointPath(frame, evse.chargePointId)}
                text={`${evse.chargePointId} / ${evse.evseId}`}
              />
            </>
          ),
        },
        hasGroups &&
          link(words.group, ({ group: leaf }) => ({ to: groupPath(frame, leaf), text: leaf }), {
            width: 120,
            wideOnly: true,
            whole: ({ group: leaf }) => leaf,
          }),
        chip(words.state, ({ state }) => [EVSE_TONES[state], words.evseStates[state]], { width: 136, wideOnly: true }),
        status.phases === 3 && {
          title: words.phases,
          width: 88 as const,
          wideOnly: true,
          cell: ({ phases }: EvseStatus) => phases.map((phase) => `L${phase + 1}`).join(' '),
        },
        { title: words.mayDraw, kind: 'number', width: 88, cell: (evse) => <b>{amps(frame, evse.mayDrawAmps)}</b> },
        figure(words.draws, ({ drawAmps }) => drawAmps !== undefined && amps(frame, drawAmps), {
          width: 88,
          wideOnly: true,
        }),
        {
          width: 136,
          wideOnly: true,
          cell: ({ mayDrawAmps, drawAmps = 0 }) => (
            <Bar
              label={words.drawsOf(amps(frame, drawAmps), amps(frame, mayDrawAmps))}
              most={most}
              parts={[
                [drawAmps > mayDrawAmps + 1 ? 'bad' : 'fill', drawAmps],
                ['grey', Math.max(0, mayDrawAmps - drawAmps)],
              ]}
            />
          ),
        },
        { title: words.reason, whole: why, cell: why },
      ]}
    />
  )
}

export function amps(frame: Frame, value: number): string {
  return `${shownFigure(frame, value, Math.abs(value - Math.round(value)) < 0.05 ? 0 : 1)} A`
}

type OfGroupProps = PropsWithChildren<{ frame: Frame; name: string; title: Child }>

export const OfGroup: FC<OfGroupProps> = ({ frame, name, title, children }) => (
  <Title
    text={title}
    up={[
      [frame.root + GROUPS, frame.texts.limits],
      [groupPath(frame, name), name],
    ]}
  >
    {children}
  </Title>
)
