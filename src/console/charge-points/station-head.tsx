import type { FC, PropsWithChildren } from 'hono/jsx'
import { Action, type Frame } from '../../web/entries.tsx'
import { shownPower } from '../../web/figures.tsx'
import { type Column, Crumb } from '../../web/parts/table.tsx'
import { Since } from '../../web/times.tsx'
import { MainOrder } from '../commands/outlets.tsx'
import { TabBar, wordsIn } from '../kit/parts.tsx'
import { chargePointPath, queryText, sessionsPath } from '../paths.ts'
import { StationChip, stationState } from '../station-state/station-state.tsx'
import { mayAct, type Visit } from '../visit.tsx'
import { actionOf } from './own-charge-point.ts'
import type { ShownChargePoint } from './shown-charge-point.ts'

function addressesOf(frame: Frame, id: string) {
  const path = chargePointPath(frame, id)
  return {
    status: path,
    sessions: sessionsPath(frame, { evseControllerId: id }),
    log: `${path}#messages`,
    limits: `${path}/limits`,
    variables: `${path}/variables`,
    firmware: `${path}/firmware`,
    certificates: `${path}/certificates`,
    timeline: `${path}/timeline`,
    logs: `${path}/logs`,
    access: `${path}/edit`,
  }
}

type StationPage = keyof ReturnType<typeof addressesOf>

export const StationHead: FC<
  PropsWithChildren<{ readonly visit: Visit; readonly chargePoint: ShownChargePoint; readonly at: StationPage }>
> = ({ visit, chargePoint, at, children }) => {
  const { frame } = visit
  const words = wordsIn('chargePoints', frame)
  const { view, live, powerKw } = chargePoint
  const { id, name, labels = {} } = view
  const seen = stationState(chargePoint)
  const { site } = labels
  const stations = `${frame.root}/charge-points`
  return (
    <div class="stays">
      <Crumb ways={[[stations, frame.texts.stations], site !== undefined && [stations + queryText({ site }), site]]} />
      <div class="title" data-live="head">
        <h1>
          <bdi>{id}</bdi>
          {at !== 'status' && <span class="unseen"> {words.pages[at]}</span>}
        </h1>
        <StationChip frame={frame} seen={seen} />
        <span class="soft">
          {seen.since !== undefined && (
            <>
              {words.lasting} <Since frame={frame} at={seen.since} />
            </>
          )}
          {name !== undefined && (
            <>
              {' · '}
              <bdi>{name}</bdi>
            </>
          )}
          <span class="no-phone">{` · ${live?.online ? frame.texts.online : frame.texts.offline}`}</span>
          {powerKw !== undefined && (
            <>
              {` · ${words.draws} `}
              <b class="blue-word">{shownPower(frame, powerKw)}</b>
            </>
          )}
        </span>
        {mayAct(visit) && (
          <span class="row end">
            {children}
            <MainOrder visit={visit} chargePoint={chargePoint} />
          </span>
        )}
      </div>
      <TabBar
        label={words.itsPages}
        tabs={(Object.entries(addressesOf(frame, id)) as [StationPage, string][])
          .filter(([one]) => one !== 'access' || mayAct(visit))
          .map(([one, to]) => ({ to, text: words.pages[one], isHere: one === at }))}
      />
    </div>
  )
}

/** One button a row that asks first (CONSOLE-A19), where the visitor may act. @param orderOf `to` below the station */
export function acts<Row>(
  visit: Visit,
  orderOf: (
    row: Row,
  ) => (Omit<Parameters<typeof Action>[0], 'csrf' | 'children'> & { readonly text: string }) | false | undefined,
): Column<Row> | false {
  const cell = (row: Row) => {
    const order = orderOf(row)
    if (!order) return order
    const { text, to, ...action } = order
    const id = visit.context.req.param('chargePoint') ?? ''
    return (
      <Action
        to={`${chargePointPath(visit.frame, id)}/${to}`}
        csrf={visit.csrf(actionOf(visit.context))}
        {...action}
        text={text}
      />
    )
  }
  return mayAct(visit) && { kind: 'acts', cell }
}
