/** What one charge point may draw, with proof, and what is kept there: limits, profiles, reservations (CONSOLE-G7). */

import type { z } from '@hono/zod-openapi'
import { askSchedule, evsesOf, heldBy } from '../../application/charging/held.ts'
import type { AskedLimit } from '../../application/charging/limits.ts'
import { findLimit, putLimit, removeLimit } from '../../application/charging/orders.ts'
import { limitParams, PutLimitSchema } from '../../application/charging/schemas.ts'
import { check, faultsOf } from '../../application/check-schema.ts'
import {
  type AskedMessage,
  displayMessageParams,
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
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refusalIn } from '../../domain/refuse.ts'
import { versionOf } from '../../ocpp/versions.ts'
import { actingOnStation, pathOf, showingStation } from '../charge-points/own-charge-point.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { checkedForm, filledIn, timeAfter, typedNumber, typedWith } from '../kit/form.tsx'
import { again, type Visit } from '../visit.tsx'
import { DAY_SECONDS, type FormName, stationPage } from './station-limits-page.tsx'

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
    return again(await stationPage(visit, view, { [name]: typedWith(form, refusal, FIELD_OF[name]) }), refusal)
  })
}

/** What fields are called that say a member. */
const FIELD_OF = {
  limit: { '': 'amount', amps: 'amount', watts: 'amount', until: 'minutes' },
  display: { name: 'message', endAt: 'shownMinutes' },
  reservation: { expiresAt: 'kept', evseId: 'place', connectorId: 'place' },
} as const satisfies Readonly<Record<FormName, Readonly<Record<string, string>>>>

const setLimit: Order = async (visit, view, form) => {
  const name = form.get('name')?.trim() ?? ''
  const body = checkedForm(
    PutLimitSchema,
    {
      [form.get('unit') === 'W' ? 'watts' : 'amps']: typedNumber(form, 'amount') ?? Number.NaN,
      evseId: typedNumber(form, 'evseId'),
      until: timeAfter(form, 'minutes', visit.site.now()),
    },
    faultsOf(check(limitParams.pick({ name: true }), { name })),
  )
  if ('refused' in body) return body
  const done = await putLimit(visit.site, view, name, body as AskedLimit)
  return 'refused' in done ? done : undefined
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
  const body = checkedForm(OrderReservationSchema, {
    evseControllerId: view.id,
    idToken: form.get('idToken')?.trim() ?? '',
    [outlet]: place,
    expiresAt: timeAfter(form, 'kept', visit.site.now()) ?? '',
  })
  if ('refused' in body) return body
  const { evseControllerId: _, ...order } = body as z.output<typeof OrderReservationSchema>
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
  const body = checkedForm(
    PutDisplayMessageSchema,
    { content: '', ...shown, endAt: timeAfter(form, 'shownMinutes', visit.site.now()) },
    faultsOf(check(displayMessageParams.pick({ name: true }), { name: message })),
  )
  if ('refused' in body) return body
  const done = await putDisplayMessage(visit.site, view, message, body as AskedMessage)
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
