import type { FC, PropsWithChildren } from 'hono/jsx'
import type { StationCare } from '../../domain/alerts/records.ts'
import type { FaultGroup, NetworkCounts } from '../../domain/ports/storage-queries.ts'
import { type Frame, Sealed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Columns, Table, TextLink } from '../../web/parts/table.tsx'
import { Ago, Since } from '../../web/times.tsx'
import type { Refusals } from '../history/history.tsx'
import { cutOff, figure, Panel, Segments, wordsIn } from '../kit/parts.tsx'
import { askOrderPath, chargePointPath, newChargePointPath, queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { GROUPINGS, type Needs } from './needs.ts'

export const CARE = 'care'

/** A fault, a station that waits for approval, or a connection that was refused: the same facts of each. */
interface Line {
  readonly kind: 'fault' | 'waiting' | 'refused' | 'unregistered'
  readonly id: string
  readonly place?: string
  readonly word: string
  readonly reported: string
  readonly detail?: string
  readonly since: number
  readonly care?: StationCare | undefined
  readonly act: readonly [to: string, text: string]
}

type NeedsTableProps = { visit: Visit; counts: NetworkCounts; needs: Needs; refusals: Refusals }

export const NeedsTable: FC<NeedsTableProps> = ({ visit, counts, needs, refusals }) => {
  const { frame } = visit
  const words = wordsIn('overview', frame)
  const path = frame.root || '/'
  const tabs = [
    { to: path, text: words.mostUrgent, isHere: needs.by === undefined },
    ...GROUPINGS.map((by) => ({ to: path + queryText({ by }), text: words.groupings[by], isHere: needs.by === by })),
  ]
  return (
    <Panel
      edge
      title={words.needs}
      said={<Counted frame={frame} counts={counts} refused={refusals.stations.length} />}
      end={<Segments label={words.groupedBy} tabs={tabs} />}
      foot={
        refusals.hasMore && needs.by === undefined ? <span>{wordsIn('history', frame).moreRefusals}</span> : undefined
      }
    >
      {needs.by === undefined ? (
        <Table rows={linesOf(frame, needs, refusals)} oneLine empty={words.noNeeds} columns={columnsOf(visit)} />
      ) : (
        <Table rows={needs.groups} oneLine empty={words.noFaults} columns={groupColumns(visit, needs.by)} />
      )}
    </Panel>
  )
}

/** Each leads to those that it counts (CONSOLE-A1). */
const Counted: FC<{ frame: Frame; counts: NetworkCounts; refused: number }> = ({ frame, counts, refused }) => {
  const words = wordsIn('overview', frame)
  const stations = `${frame.root}/charge-points?`
  return (
    <>
      <a href={`${stations}${FAULTED}`} data-figure="faulted">
        <strong>{shownFigure(frame, counts.faulted)}</strong> {words.faulted}
      </a>
      {', '}
      <a href={`${stations}registration=Pending`} data-figure="pending">
        <strong>{shownFigure(frame, counts.pending)}</strong> {words.pending}
      </a>
      {refused > 0 && `, ${shownFigure(frame, refused)} ${words.refused}`}
    </>
  )
}

const FAULTED = 'online=true&status=Faulted'

const joined = (between: string, ...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(between)

function linesOf(frame: Frame, { faults, waiting }: Needs, refusals: Refusals): readonly Line[] {
  const [words, history] = [wordsIn('overview', frame), wordsIn('history', frame)]
  const reasons = history.reasons as Readonly<Record<string, string>>
  return [
    ...faults.map(({ chargePointId: id, site, name, since, care, connector }): Line => {
      const { errorCode, status, vendorErrorCode, info } = connector
      const word = errorCode === undefined || errorCode === 'NoError' ? status : errorCode
      const act = [askOrderPath(frame, id, { order: 'reset' }), words.reset] as const
      const reported = joined(' ', vendorErrorCode, info)
      return { kind: 'fault', id, place: joined(', ', site, name), word, reported, since, care, act }
    }),
    ...waiting.map(({ view: { id, name, labels, status, createdAt: since }, care }): Line => {
      const act = [chargePointPath(frame, id), words.approve] as const
      const [place, reported] = [joined(', ', labels?.site, name), joined(' ', status.vendor, status.model)]
      return { kind: 'waiting', id, place, word: words.waits, reported, since, care, act }
    }),
    ...refusals.stations.map(({ station: id, detail, reason, count, isRegistered, lastAt: since }): Line => {
      const [times, why] = [count > 1 ? history.times(count) : '', reasons[reason] ?? detail]
      const line = { id, word: words.refused, detail, since }
      if (isRegistered) {
        const act = [chargePointPath(frame, id), words.seeWhy] as const
        return { ...line, kind: 'refused', reported: joined(' · ', why, times), act }
      }
      const act = [newChargePointPath(frame, id), words.addIt] as const
      return { ...line, kind: 'unregistered', reported: joined(' · ', why, times, history.unregistered), act }
    }),
  ]
}

function columnsOf(visit: Visit): Columns<Line> {
  const { frame } = visit
  const words = wordsIn('overview', frame)
  const acts = mayAct(visit)
  return [
    {
      title: words.faultStation,
      width: 136,
      whole: ({ id }) => id,
      // To the station, or to where one that was refused can be registered (CONSOLE-A17).
      cell: ({ kind, id, act: [to] }) => {
        if (kind !== 'unregistered') return <TextLink class="name-link" to={chargePointPath(frame, id)} text={id} />
        return acts ? <TextLink class="host" to={to} text={id} /> : <bdi class="host">{id}</bdi>
      },
    },
    cutOff(words.faultPlace, ({ place }) => place, { wideOnly: true }),
    {
      title: words.faultError,
      width: 200,
      whole: ({ word }) => word,
      cell: ({ kind, id, word, care }) => {
        const taken = care === undefined ? '' : ' held'
        if (kind !== 'fault') return <bdi class={`chip amber${taken}`}>{word}</bdi>
        const said = `${chargePointPath(frame, id)}?method=StatusNotification#messages`
        return <TextLink class={`chip bad${taken}`} to={said} text={word} />
      },
    },
    cutOff(words.faultReported, ({ reported }) => reported, {
      wideOnly: true,
      whole: ({ reported, detail }) => detail ?? reported,
    }),
    figure(words.faultFor, ({ since }) => <Since frame={frame} at={since} />, { width: 104 }),
    {
      title: words.takenBy,
      width: 160,
      wideOnly: true,
      cell: ({ kind, id, care }) =>
        (kind === 'fault' || kind === 'waiting') && <Taken visit={visit} id={id} care={care} />,
    },
    acts && {
      title: words.action,
      kind: 'acts',
      width: 120,
      wideOnly: true,
      cell: ({ id, act: [to, text] }) => <ActLink to={to} text={text} about={id} />,
    },
  ]
}

const ActLink: FC<{ to: string; text: string; about: string }> = ({ to, text, about }) => (
  <a class="button" href={to} aria-label={`${text} ${about}`}>
    {text}
  </a>
)

type TakenProps = { visit: Visit; id: string; care: StationCare | undefined; at?: 'station' }

export const Taken: FC<TakenProps> = ({ visit, id, care, at }) => (
  <TakenBy
    visit={visit}
    care={care}
    to={`${chargePointPath(visit.frame, id)}/care`}
    about={id}
    button={at !== undefined}
  >
    {at !== undefined && <input type="hidden" name="at" value={at} />}
  </TakenBy>
)

/** @param about of the button, for those who do not see what stands beside it */
export const TakenBy: FC<
  PropsWithChildren<{ visit: Visit; care: StationCare | undefined; to: string; about: string; button?: boolean }>
> = ({ visit, care, to, about, button, children }) => {
  const { frame } = visit
  const words = wordsIn('overview', frame)
  if (care) {
    return (
      <>
        <bdi title={care.by}>{care.by.split('@', 1)[0]}</bdi>{' '}
        <span class="soft">
          <Ago frame={frame} at={care.at} />
        </span>
      </>
    )
  }
  if (!mayAct(visit)) return null
  return (
    <form class="inline" method="post" action={to}>
      <Sealed csrf={visit.csrf(CARE)} />
      {children}
      <button class={button ? undefined : 'plain'} type="submit" aria-label={`${words.take}: ${about}`}>
        {words.take}
      </button>
    </form>
  )
}

function groupColumns(visit: Visit, by: NonNullable<Needs['by']>): Columns<FaultGroup> {
  const { frame } = visit
  const words = wordsIn('overview', frame)
  const nameOf = ({ name }: FaultGroup): string => name ?? words.without[by]
  const narrowing = ({ name }: FaultGroup): string =>
    `${FAULTED}${name === undefined ? '' : `&${new URLSearchParams({ [by === 'error' ? 'errorCode' : by]: name })}`}`
  return [
    {
      title: words.groupNames[by],
      whole: nameOf,
      // What has none cannot be looked for.
      cell: (group) =>
        group.name === undefined ? (
          <span class="soft">{nameOf(group)}</span>
        ) : (
          <TextLink class="name-link" to={`${frame.root}/charge-points?${narrowing(group)}`} text={group.name} />
        ),
    },
    figure(words.stations, ({ chargePoints }) => shownFigure(frame, chargePoints), { width: 136 }),
    figure(words.longest, ({ since }) => <Since frame={frame} at={since} />, { width: 136, wideOnly: true }),
    mayAct(visit) && {
      title: words.action,
      kind: 'acts',
      width: 160,
      wideOnly: true,
      cell: (group) => {
        const text = words.resetAll(shownFigure(frame, group.chargePoints))
        const to = `${frame.root}/new-bulk-order${queryText({ kind: 'reset', all: narrowing(group) })}`
        return group.name !== undefined && <ActLink to={to} text={text} about={group.name} />
      },
    },
  ]
}
