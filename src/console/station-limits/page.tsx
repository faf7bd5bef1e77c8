/** What one charge point may draw, with proof, and what is kept there: limits, profiles, reservations (CONSOLE-G7). */

import type { z } from '@hono/zod-openapi'
import {
  askSchedule,
  effectiveProfiles,
  evsesOf,
  heldBy,
  ownSchedule,
  type ReportedAnswer,
} from '../../application/charging/held.ts'
import type { AskedLimit } from '../../application/charging/limits.ts'
import { demandsOf, findLimit, putLimit, removeLimit, shownLimit } from '../../application/charging/orders.ts'
import { limitParams, PutLimitSchema } from '../../application/charging/schemas.ts'
import { check } from '../../application/check-schema.ts'
import {
  type AskedMessage,
  displayMessageParams,
  displayMessagesOf,
  findDisplayMessage,
  PutDisplayMessageSchema,
  putDisplayMessage,
  removeDisplayMessage,
} from '../../application/display-messages/orders.ts'
import {
  cancelReservation,
  findReservation,
  OrderReservationSchema,
  orderReservation,
} from '../../application/reservations/orders.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refusalIn, refuseFaults } from '../../domain/refuse.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { Typed } from '../../web/entries.tsx'
import { actingOnStation, pathOf, showingStation } from '../charge-points/own-charge-point.ts'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { filledIn, typedNumber, typedWith } from '../kit/form.tsx'
import { withoutAbsent } from '../selector/selector-form.ts'
import { again, type Visit } from '../visit.tsx'
import type { Schedule } from './schedules.tsx'
import { type FormName, type ShownLimitRow, StationLimitsPage } from './station-limits-page.tsx'

const MINUTE_MS = 60_000
const DAY_SECONDS = 86_400
const MAX_RESERVATIONS = 60

type Order = (visit: Visit, view: ChargePointView, form: URLSearchParams) => Promise<Refusal | undefined>

export const addStationLimitPages: MountConsolePages = (page) => {
  const path = '/charge-points/:chargePoint'
  page(`${path}/limits`, {
    GET: showingStation('see', (visit, view) => stationPage(visit, view)),
    POST: ordered('limit', setLimit),
  })
  page(`${path}/limits/remove`, { POST: ordered('limit', takeBack) })
  page(`${path}/limits/clear`, { POST: ordered('limit', clearForeign) })
  page(`${path}/limits/ask`, { POST: askStation })
  page(`${path}/display-messages`, { POST: ordered('display', showMessage) })
  page(`${path}/display-messages/remove`, { POST: ordered('display', clearMessage) })
  page(`${path}/reservations`, { POST: ordered('reservation', reserve) })
  page(`${path}/reservations/:reservationId/cancel`, { POST: ordered('reservation', cancel) })
}

function ordered(name: FormName, order: Order): ConsolePage {
  return actingOnStation(async (visit, view, form) => {
    const refusal = await order(visit, view, form)
    if (!refusal) return `${pathOf(view.id)}/limits`
    if (refusal.status === 404) return refusal
    return again(await stationPage(visit, view, { [name]: typedWith(form, fieldsOf(name, refusal)) }), refusal)
  })
}

const FIELD_OF: { readonly [Name in FormName]: Readonly<Record<string, string>> } = {
  limit: { '': 'amount', amps: 'amount', watts: 'amount', until: 'minutes' },
  display: { name: 'message', endAt: 'shownMinutes' },
  reservation: { expiresAt: 'kept', evseId: 'place', connectorId: 'place' },
}

function fieldsOf(name: FormName, refusal: Refusal): Refusal {
  const errors = (refusal.errors ?? []).map((fault) => {
    const [, top = ''] = fault.pointer.split('/')
    return { ...fault, pointer: `/${FIELD_OF[name][top] ?? top}` }
  })
  return { ...refusal, errors }
}

const setLimit: Order = async (visit, view, form) => {
  const params = check(limitParams.pick({ name: true }), { name: form.get('name')?.trim() ?? '' })
  const body = check(
    PutLimitSchema,
    withoutAbsent({
      [form.get('unit') === 'W' ? 'watts' : 'amps']: typedNumber(form, 'amount') ?? Number.NaN,
      evseId: typedNumber(form, 'evseId'),
      until: timeAfter(visit, form, 'minutes'),
    }),
  )
  if (!params.ok || !body.ok) return refuseFaults([...faultsOf(params), ...faultsOf(body)])
  const done = await putLimit(visit.site, view, params.value.name, body.value as AskedLimit)
  return 'refused' in done ? done : undefined
}

function faultsOf(checked: ReturnType<typeof check>) {
  return checked.ok ? [] : checked.faults
}

/** As a schema expects it; what is no number of minutes is no time. Undefined where nothing was typed. */
function timeAfter({ site }: Visit, form: URLSearchParams, name: string): string | undefined {
  const minutes = typedNumber(form, name)
  if (minutes === undefined) return undefined
  const at = site.now() + minutes * MINUTE_MS
  return Number.isFinite(at) && Math.abs(at) < 8e15 ? isoTime(at) : ''
}

const takeBack: Order = async ({ site }, view, form) => {
  const demand = await findLimit(site, view.id, form.get('name') ?? '')
  return 'refused' in demand ? demand : removeLimit(site, view, demand)
}

const clearForeign: Order = async ({ site: { core } }, { id: chargePointId, accountId }) => {
  const input = { kind: 'profilesWithdrawn', foreign: true } as const
  return refusalIn(await core.decideBlock({ accountId, chargePointId, input }))
}

const reserve: Order = async (visit, view, form) => {
  const place = typedNumber(form, 'place')
  const { outlet = 'evseId' } = versionOf(view.status.protocol)?.abilities ?? {}
  const body = check(
    OrderReservationSchema,
    withoutAbsent({
      evseControllerId: view.id,
      idToken: form.get('idToken')?.trim() ?? '',
      [outlet]: place,
      expiresAt: timeAfter(visit, form, 'kept') ?? '',
    }),
  )
  if (!body.ok) return refuseFaults(body.faults)
  const { evseControllerId: _, ...order } = body.value as z.output<typeof OrderReservationSchema>
  const done = await orderReservation(visit.site, view, order, undefined)
  return 'refused' in done ? done : undefined
}

const cancel: Order = async ({ site, context }, view) => {
  const found = await findReservation(site, context.req.param('reservationId') ?? '')
  if (found?.chargePointId !== view.id) return noSuch('reservation')
  const done = await cancelReservation(site, found)
  return 'refused' in done ? done : undefined
}

const showMessage: Order = async (visit, view, form) => {
  const { message = '', ...shown } = filledIn(form, ['message', 'content', 'language', 'format', 'priority', 'state'])
  const params = check(displayMessageParams.pick({ name: true }), { name: message })
  const body = check(
    PutDisplayMessageSchema,
    withoutAbsent({ content: '', ...shown, endAt: timeAfter(visit, form, 'shownMinutes') }),
  )
  if (!params.ok || !body.ok) return refuseFaults([...faultsOf(params), ...faultsOf(body)])
  const done = await putDisplayMessage(visit.site, view, params.value.name, body.value as AskedMessage)
  return 'refused' in done ? done : undefined
}

const clearMessage: Order = async ({ site }, view, form) => {
  const found = await findDisplayMessage(site, view.id, form.get('name') ?? '')
  return found ? removeDisplayMessage(site, found) : noSuch('display message')
}

/** Its own schedule is requested when an operator presses the button, and not by opening the page. */
const askStation: ConsolePage = actingOnStation(async (visit, view, form) => {
  const held = await heldBy(visit.site, view.id)
  const evseId = typedNumber(form, 'place') ?? 0
  if (!evsesOf(view, held).has(evseId)) return noSuch('EVSE')
  const answer = await askSchedule(visit.site, view, held, { evseId, duration: DAY_SECONDS })
  return { page: await stationPage(visit, view, {}, { evseId, answer }), status: 200 }
})

async function stationPage(
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
  const limits = await Promise.all(
    demands.map(async (demand): Promise<ShownLimitRow> => ({ demand, shown: await shownLimit(site, demand) })),
  )
  const schedules = [...evses]
    .sort((one, other) => one - other)
    .map((evseId): Schedule => ({ evseId, ...ownSchedule(held, evseId, DAY_SECONDS, 'A', now()) }))
    .filter(({ evseId, periods }) => evseId > 0 || periods.some(({ limit }) => limit !== undefined))
  return (
    <StationLimitsPage
      {...{ visit, chargePoint, limits, schedules, list, typed, reported, display }}
      rows={held.rows}
      effective={effectiveProfiles(held, evses, now())}
      reservations={reservations.toSorted((one, other) => other.createdAt - one.createdAt).slice(0, MAX_RESERVATIONS)}
    />
  )
}
