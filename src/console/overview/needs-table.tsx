import type { FC, PropsWithChildren } from 'hono/jsx'
import type { StationCare } from '../../domain/alerts/records.ts'
import type { FaultGroup, NetworkCounts } from '../../domain/ports/storage-queries.ts'
import { type Frame, Sealed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Columns, Table, TextLink } from '../../web/parts/table.tsx'
import { Ago, Since } from '../../web/times.tsx'
import type { Refusals } from '../history/history.tsx'
import { cutOff, historyTexts, overviewTexts, Panel, Segments } from '../kit/parts.tsx'
import { askOrderPath, chargePointPath, newChargePointPath, queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { type Fault, GROUPINGS, type Needs, type Waiting } from './needs.ts'

export const CARE = 'care'

type Line =
  | ({ readonly kind: 'fault' } & Fault)
  | ({ readonly kind: 'waiting' } & Waiting)
  | ({ readonly kind: 'refused' } & Refusals['stations'][number])

type NeedsTableProps = { visit: Visit; counts: NetworkCounts; needs: Needs; refusals: Refusals }

export const NeedsTable: FC<NeedsTableProps> = ({ visit, counts, needs, refusals }) => {
  const { frame } = visit
  const words = overviewTexts(frame)
  const path = frame.root || '/'
  const lines: readonly Line[] = [
    ...needs.faults.map((fault) => ({ kind: 'fault' as const, ...fault })),
    ...needs.waiting.map((waiting) => ({ kind: 'waiting' as const, ...waiting })),
    ...(needs.by === undefined ? refusals.stations : []).map((refused) => ({ kind: 'refused' as const, ...refused })),
  ]
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
      foot={refusals.hasMore && needs.by === undefined ? <span>{historyTexts(frame).moreRefusals}</span> : undefined}
    >
      {needs.by === undefined ? (
        <Table rows={lines} oneLine empty={words.noNeeds} columns={columnsOf(visit)} />
      ) : (
        <Table rows={needs.groups} oneLine empty={words.noFaults} columns={groupColumns(visit, needs.by)} />
      )}
    </Panel>
  )
}

/** Each leads to those that it counts (CONSOLE-A1). */
const Counted: FC<{ frame: Frame; counts: NetworkCounts; refused: number }> = ({ frame, counts, refused }) => {
  const words = overviewTexts(frame)
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

function idOf(line: Line): string {
  if (line.kind === 'fault') return line.chargePointId
  return line.kind === 'waiting' ? line.view.id : line.station
}

function placeOf(line: Line): string | undefined {
  if (line.kind === 'refused') return undefined
  const [site, name] = line.kind === 'fault' ? [line.site, line.name] : [line.view.labels?.site, line.view.name]
  return [site, name].filter((part) => part !== undefined).join(', ')
}

function codeOf({ connector: { errorCode, status } }: Fault): string {
  return errorCode === undefined || errorCode === 'NoError' ? status : errorCode
}

function columnsOf(visit: Visit): Columns<Line> {
  const { frame } = visit
  const words = overviewTexts(frame)
  const acts = mayAct(visit)
  const wordOf = (line: Line): string =>
    line.kind === 'fault' ? codeOf(line) : line.kind === 'waiting' ? words.waits : words.refused
  const reportedOf = (line: Line): string => {
    if (line.kind === 'fault') {
      const { vendorErrorCode, info } = line.connector
      return [vendorErrorCode, info].filter((part) => part !== undefined).join(' ')
    }
    if (line.kind === 'waiting') {
      return [line.view.status.vendor, line.view.status.model].filter((part) => part !== undefined).join(' ')
    }
    const { detail, reason, count, isRegistered } = line
    const times = count > 1 ? historyTexts(frame).times(count) : undefined
    const known = isRegistered ? undefined : historyTexts(frame).unregistered
    const why = historyTexts(frame).reasons as Readonly<Record<string, string>>
    return [why[reason] ?? detail, times, known].filter((part) => part !== undefined && part !== '').join(' · ')
  }
  return [
    {
      title: words.faultStation,
      width: 136,
      whole: idOf,
      cell: (line) => <StationLink frame={frame} line={line} acts={acts} />,
    },
    cutOff(words.faultPlace, placeOf, { wideOnly: true }),
    {
      title: words.faultError,
      width: 200,
      whole: wordOf,
      cell: (line) => {
        const taken = line.kind !== 'refused' && line.care !== undefined ? ' held' : ''
        if (line.kind !== 'fault') return <bdi class={`chip amber${taken}`}>{wordOf(line)}</bdi>
        const said = `${chargePointPath(frame, line.chargePointId)}?method=StatusNotification#messages`
        return <TextLink class={`chip bad${taken}`} to={said} text={wordOf(line)} />
      },
    },
    cutOff(words.faultReported, reportedOf, {
      wideOnly: true,
      whole: (line) => (line.kind === 'refused' ? line.detail : reportedOf(line)),
    }),
    {
      title: words.faultFor,
      kind: 'number',
      width: 104,
      cell: (line) => {
        const since = line.kind === 'fault' ? line.since : line.kind === 'waiting' ? line.view.createdAt : line.lastAt
        return <Since frame={frame} at={since} />
      },
    },
    {
      title: words.takenBy,
      width: 160,
      wideOnly: true,
      cell: (line) => line.kind !== 'refused' && <Taken visit={visit} id={idOf(line)} care={line.care} />,
    },
    acts && {
      title: words.action,
      kind: 'acts',
      width: 120,
      wideOnly: true,
      cell: (line) => <WhatToDo frame={frame} line={line} />,
    },
  ]
}

/** To the station, or to where one that was refused can be registered (CONSOLE-A17). */
const StationLink: FC<{ frame: Frame; line: Line; acts: boolean }> = ({ frame, line, acts }) => {
  const id = idOf(line)
  if (line.kind === 'refused' && !line.isRegistered) {
    return acts ? <TextLink class="host" to={newChargePointPath(frame, id)} text={id} /> : <bdi class="host">{id}</bdi>
  }
  return <TextLink class="name-link" to={chargePointPath(frame, id)} text={id} />
}

const WhatToDo: FC<{ frame: Frame; line: Line }> = ({ frame, line }) => {
  const words = overviewTexts(frame)
  const id = idOf(line)
  const [to, text] =
    line.kind === 'fault'
      ? [askOrderPath(frame, id, { order: 'reset' }), words.reset]
      : line.kind === 'waiting'
        ? [chargePointPath(frame, id), words.approve]
        : line.isRegistered
          ? [chargePointPath(frame, id), words.seeWhy]
          : [newChargePointPath(frame, id), words.addIt]
  return <ActLink to={to} text={text} about={id} />
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
  const words = overviewTexts(frame)
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
  const words = overviewTexts(frame)
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
    { title: words.stations, kind: 'number', width: 136, cell: ({ chargePoints }) => shownFigure(frame, chargePoints) },
    {
      title: words.longest,
      kind: 'number',
      width: 136,
      wideOnly: true,
      cell: ({ since }) => <Since frame={frame} at={since} />,
    },
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
