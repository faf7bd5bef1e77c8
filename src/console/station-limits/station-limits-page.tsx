import type { FC } from 'hono/jsx'
import {
  effectiveProfiles,
  evsesOf,
  heldBy,
  ownSchedule,
  type ReportedAnswer,
} from '../../application/charging/held.ts'
import { isLimit } from '../../application/charging/limits.ts'
import { demandsOf, shownLimit } from '../../application/charging/orders.ts'
import { displayMessagesOf } from '../../application/display-messages/orders.ts'
import type { StoredProfile } from '../../domain/charging/records.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import type { Reservation } from '../../domain/reservations/records.ts'
import { Action, type Frame, type OptionPair, Page, type Typed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { TableCard, TextLink } from '../../web/parts/table.tsx'
import { Ago, At } from '../../web/times.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import { acts, StationHead } from '../charge-points/station-head.tsx'
import { asOptions, Form } from '../kit/form.tsx'
import { Chip, Facts, figure, link, Panel, wordsIn } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import { amps } from '../limits/group-page.tsx'
import { groupPath } from '../limits/place.ts'
import { cardPath, chargePointPath, sessionPath } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { Display, DisplayForm, hasDisplay } from './display.tsx'
import { PROOF_TONES, placeText, type Schedule, Schedules } from './schedules.tsx'

export type FormName = 'limit' | 'reservation' | 'display'

export const DAY_SECONDS = 86_400
const MAX_RESERVATIONS = 60

async function shownOf(
  visit: Visit,
  view: ChargePointView,
  typed: { readonly [Name in FormName]?: Typed } = {},
  reported?: { readonly evseId: number; readonly answer: ReportedAnswer },
) {
  const { site } = visit
  const { reads, now } = site
  const chargePointId = view.id
  const [chargePoint, demands, held, list, reservations, display] = await Promise.all([
    shownNow(visit, view),
    demandsOf(site, chargePointId),
    heldBy(site, chargePointId),
    reads.getRecord('station_lists', { chargePointId }),
    reads.listRecords('reservations', { where: { chargePointId }, limit: 500 }),
    displayMessagesOf(site, chargePointId),
  ])
  const evses = evsesOf(view, held)
  const limits = await Promise.all(demands.map(async (demand) => ({ demand, shown: await shownLimit(site, demand) })))
  const schedules = [...evses]
    .sort((one, other) => one - other)
    .map((evseId): Schedule => ({ evseId, ...ownSchedule(held, evseId, DAY_SECONDS, 'A', now()) }))
    .filter(({ evseId, periods }) => evseId > 0 || periods.some(({ limit }) => limit !== undefined))
  return {
    visit,
    view,
    chargePoint,
    limits,
    schedules,
    list,
    typed,
    reported,
    display,
    rows: held.rows,
    effective: effectiveProfiles(held, evses, now()),
    reservations: reservations.toSorted((one, other) => other.createdAt - one.createdAt).slice(0, MAX_RESERVATIONS),
  }
}

type Shown = Awaited<ReturnType<typeof shownOf>>

export async function stationPage(...asked: Parameters<typeof shownOf>) {
  const shown = await shownOf(...asked)
  const { visit, view, chargePoint, typed, display } = shown
  const words = wordsIn('stationLimits', visit.frame)
  return (
    <Page frame={visit.frame} title={`${view.id} · ${words.title}`} wide live>
      <StationHead visit={visit} chargePoint={chargePoint} at="limits" />
      <Limits {...shown} />
      <div class="cols">
        <div>
          <Schedules {...shown} />
          <Profiles {...shown} />
          <Reservations {...shown} />
          <Display visit={visit} view={view} {...display} />
        </div>
        <div>
          {mayAct(visit) && <LimitForm {...shown} />}
          {mayAct(visit) && <ReservationForm {...shown} />}
          {mayAct(visit) && (hasDisplay(view) || typed.display) && (
            <DisplayForm visit={visit} view={view} typed={typed.display} />
          )}
          <List {...shown} />
        </div>
      </div>
    </Page>
  )
}

const STATE_TONES = { pending: 'amber held', accepted: '', refused: 'bad', expired: 'over' } as const

const Limits: FC<Shown> = ({ visit, limits }) => {
  const { frame } = visit
  const words = wordsIn('stationLimits', frame)
  return (
    <TableCard<Shown['limits'][number]>
      heading={words.limits}
      live="limits"
      rows={limits}
      empty={words.noLimits}
      columns={[
        {
          title: words.name,
          cell: ({ demand }) => {
            const name = demand.owner.slice(demand.owner.indexOf(':') + 1)
            if (isLimit(demand)) return <bdi>{name}</bdi>
            return (
              <>
                {words.ofGroup} <TextLink to={groupPath(frame, name)} text={name} />
              </>
            )
          },
        },
        { title: words.place, cell: ({ demand }) => placeText(frame, demand.evseId) },
        { title: words.sought, kind: 'number', cell: ({ shown }) => rateText(frame, shown) },
        figure(words.effective, ({ shown }) => shown.effectiveAmps !== undefined && amps(frame, shown.effectiveAmps)),
        {
          title: words.ends,
          kind: 'time',
          cell: ({ shown }) => (shown.until ? <At frame={frame} at={Date.parse(shown.until)} /> : words.never),
        },
        {
          title: words.state,
          cell: ({ shown: { state, reason } }) => (
            <>
              <Chip tone={STATE_TONES[state]} text={words.states[state]} />{' '}
              {reason && <bdi class="soft">{translated(frame, reason)}</bdi>}
            </>
          ),
        },
        {
          title: words.proof,
          cell: ({ shown: { proof, state } }) =>
            state !== 'expired' && (
              <>
                <Chip tone={PROOF_TONES[proof.verdict]} text={words.proofs[proof.verdict]} />{' '}
                {proof.at !== undefined && (
                  <span class="soft">
                    <Ago frame={frame} at={Date.parse(proof.at)} />
                  </span>
                )}
              </>
            ),
        },
        acts(
          visit,
          ({ demand, shown: { name } }) =>
            isLimit(demand) && {
              to: 'limits/remove',
              sent: { name },
              ask: words.removeAsk,
              order: words.removeOf(name),
              text: words.remove,
            },
        ),
      ]}
    />
  )
}

function rateText(
  frame: Frame,
  { amps: current, watts }: { readonly amps?: number | undefined; readonly watts?: number | undefined },
): string {
  if (watts !== undefined) return `${shownFigure(frame, watts)} W`
  return current === undefined ? '' : amps(frame, current)
}

function places({ connectors }: ChargePointView, none: OptionPair): readonly OptionPair[] {
  const ids = [...new Set(connectors.map((one) => one.evseId ?? one.connectorId))].filter((id) => id > 0)
  return [none, ...asOptions(ids.sort((one, other) => one - other).map(String))]
}

const LimitForm: FC<Shown> = ({ visit, view, typed }) => {
  const words = wordsIn('stationLimits', visit.frame)
  return (
    <Form
      {...{ visit, action: actionOf(visit.context), title: words.setLimit, lead: words.setLimitLead, once: true }}
      to={`${chargePointPath(visit.frame, view.id)}/limits`}
      typed={typed.limit}
      refused={words.notDone}
      fields={[
        { name: 'name', label: words.name, value: 'console', hint: words.nameHint, maxlength: 200 },
        {
          beside: true,
          hint: words.amountHint,
          fields: [
            { name: 'evseId', label: words.place, value: '0', options: places(view, ['0', words.whole]) },
            { name: 'amount', label: words.amount, inputmode: 'decimal' },
            { name: 'unit', label: words.unit, value: 'A', options: words.units },
          ],
        },
        { name: 'minutes', label: words.minutes, hint: words.minutesHint, inputmode: 'numeric' },
      ]}
      submit={words.set}
    />
  )
}

const ReservationForm: FC<Shown> = ({ visit, view, typed }) => {
  const words = wordsIn('stationLimits', visit.frame)
  return (
    <Form
      {...{ visit, action: actionOf(visit.context), title: words.reserve, once: true }}
      to={`${chargePointPath(visit.frame, view.id)}/reservations`}
      typed={typed.reservation}
      refused={words.notDone}
      fields={[
        {
          beside: true,
          fields: [
            { name: 'place', label: words.place, value: '', options: places(view, ['', words.anyPlace]) },
            { name: 'kept', label: words.keptMinutes, value: '30', inputmode: 'numeric' },
          ],
        },
        { name: 'idToken', label: words.keptFor, maxlength: 36 },
      ]}
      submit={words.reserve}
    />
  )
}

const Profiles: FC<Shown> = ({ visit, view, rows, effective }) => {
  const { frame } = visit
  const words = wordsIn('stationLimits', frame)
  return (
    <TableCard<StoredProfile>
      heading={words.profiles}
      live="profiles"
      rows={rows}
      empty={words.noProfiles}
      columns={[
        {
          title: words.profiles,
          cell: ({ source, id, acceptedAt }) => (
            <>
              {words.sources[source]} {id >= 0 && `#${id}`}{' '}
              {acceptedAt !== undefined && effective.has(id) && <Chip tone="over" text={words.capsNow} />}
            </>
          ),
        },
        { title: words.place, cell: ({ evseId }) => placeText(frame, evseId) },
        { title: words.purpose, text: ({ purpose }) => purpose },
        { title: words.level, kind: 'number', cell: ({ stackLevel }) => stackLevel },
        { title: words.owner, text: ({ owner }) => owner },
        {
          title: words.state,
          text: ({ state, reason }) => [state && words.profileStates[state], reason].filter(Boolean).join(': '),
        },
      ]}
      after={
        mayAct(visit) &&
        rows.some(({ source }) => source === 'reported') && (
          <footer>
            <Action
              to={`${chargePointPath(frame, view.id)}/limits/clear`}
              csrf={visit.csrf(actionOf(visit.context))}
              ask={words.clearAsk}
              text={words.clear}
            />
          </footer>
        )
      }
    />
  )
}

const OPEN: ReadonlySet<string> = new Set(['requested', 'active'])

const Reservations: FC<Shown> = ({ visit, reservations }) => {
  const { frame } = visit
  const words = wordsIn('stationLimits', frame)
  return (
    <TableCard<Reservation>
      heading={words.reservations}
      live="reservations"
      rows={reservations}
      empty={words.noReservations}
      columns={[
        {
          title: words.state,
          cell: ({ state, isCancelling, reason, sessionId }) => (
            <>
              <Chip
                tone={state === 'active' ? '' : state === 'rejected' || state === 'removed' ? 'bad held' : 'over'}
                text={isCancelling && OPEN.has(state) ? words.cancelling : words.reservationStates[state]}
              />{' '}
              {reason !== undefined && <bdi class="soft">{reason}</bdi>}
              {sessionId !== undefined && <a href={sessionPath(frame, sessionId)}>{words.session}</a>}
            </>
          ),
        },
        { title: words.place, cell: ({ asked }) => asked.evseId ?? asked.connectorId ?? words.anyPlace },
        link(words.card, ({ asked }) => ({ to: cardPath(frame, asked.idToken), text: asked.idToken }), {
          kind: 'host',
        }),
        { title: words.keptUntil, kind: 'time', cell: ({ expiresAt }) => <At frame={frame} at={expiresAt} /> },
        acts(
          visit,
          ({ id, state, isCancelling, asked }) =>
            OPEN.has(state) &&
            !isCancelling && {
              to: `reservations/${encodeURIComponent(id)}/cancel`,
              ask: words.cancelAsk,
              order: words.cancelOf(asked.idToken),
              text: words.cancelIt,
            },
        ),
      ]}
    />
  )
}

const List: FC<Shown> = ({ visit: { frame }, list }) => {
  const words = wordsIn('stationLimits', frame)
  return (
    <Panel title={words.list} live="list">
      {list ? (
        <Facts
          facts={[
            [words.name, list.list === undefined ? words.isEmpty : <bdi>{list.list}</bdi>],
            [words.state, words.listStates[list.state]],
            [words.reason, list.reason && <bdi>{list.reason}</bdi>],
            [words.version, list.version],
            [words.changed, <Ago frame={frame} at={list.updatedAt} />],
          ]}
        />
      ) : (
        <p class="soft">{words.noList}</p>
      )}
    </Panel>
  )
}
