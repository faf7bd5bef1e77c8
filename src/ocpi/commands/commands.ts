/** Receiver of Commands (OCPI-A4): answered at once, carried out beside, the result posted to `response_url`. */
import { z } from '@hono/zod-openapi'
import type { Present } from '../../application/check-schema.ts'
import type { Party } from '../../domain/partners/ocpi-versions.ts'
import type { PartnerOfSession, PartnerToken } from '../../domain/partners/records.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { readToken } from '../partners/tokens.ts'
import { ciText, ocpiTime, readFields } from '../wire/fields.ts'
import { INVALID, type OcpiAnswer, type OcpiModule, type OcpiRequest, type OcpiRoute, refused } from '../wire/module.ts'
import { parseOcpiTime } from '../wire/times.ts'
import { type CommandResult, cancel, reserve, startAt, stop, unlock } from './carry-out.ts'
import { findEvse, type Place } from './places.ts'
import { responseUrlFault } from './results.ts'

/** Seconds after which no result comes any more. */
const TIMEOUT = 60
const id = ciText(36)
const url = z.string().min(1)
const place = { location_id: id, evse_uid: id.optional(), connector_id: id.optional() }
const withToken = { response_url: url, token: z.looseObject({}), authorization_reference: id.optional() }
const StartSession = z
  .looseObject({ ...withToken, ...place })
  .refine((body) => body.connector_id === undefined || body.evse_uid !== undefined, {
    message: 'is required with connector_id',
    path: ['evse_uid'],
  })
const ReserveNow = z.looseObject({ ...withToken, ...place, expiry_date: ocpiTime, reservation_id: id })
const StopSession = z.looseObject({ response_url: url, session_id: id })
const UnlockConnector = z.looseObject({ response_url: url, location_id: id, evse_uid: id, connector_id: id })
const CancelReservation = z.looseObject({ response_url: url, reservation_id: id })

/** With an address that may be called. */
function command<T extends { readonly response_url: string }>(
  name: string,
  schema: z.ZodType<T>,
  carryOut: (request: OcpiRequest, body: Present<T>) => Promise<OcpiAnswer> | OcpiAnswer,
): OcpiRoute {
  const handle = (request: OcpiRequest): Promise<OcpiAnswer> | OcpiAnswer => {
    const read = readFields(schema, request.body)
    if (!read.ok) return read.answer
    const fault = responseUrlFault(request.partner, read.value.response_url, request.context.settings)
    return fault === undefined ? carryOut(request, read.value) : refused(INVALID, fault)
  }
  return { method: 'POST', path: `/${name}`, handle }
}

export const commandsModule: OcpiModule = {
  identifier: 'commands',
  role: 'RECEIVER',
  routes: [
    command('START_SESSION', StartSession, (request, body) => {
      const customer = readCustomer(request, body)
      if ('answer' in customer) return customer.answer
      return atEvse(request, body, customer.partner, (found) => startAt(request.context, found, customer.partner))
    }),
    command('RESERVE_NOW', ReserveNow, (request, body) => {
      const customer = readCustomer(request, body)
      if ('answer' in customer) return customer.answer
      const { reservation_id: reservationId, expiry_date } = body
      const requested = { ...customer, reservationId, expiresAt: parseOcpiTime(expiry_date) ?? 0 }
      return atEvse(request, body, customer.partner, (found, signal) =>
        reserve(request.context, found, requested, signal),
      )
    }),
    command('CANCEL_RESERVATION', CancelReservation, (request, { response_url, reservation_id: reservationId }) => {
      const { accountId, partnerId } = request.partner
      const name = { accountId, partnerId, reservationId }
      return accept(request, response_url, undefined, (signal) => cancel(request.context, name, signal))
    }),
    command('STOP_SESSION', StopSession, async (request, { response_url, session_id }) => {
      const session = await sessionOf(request, session_id)
      if (!session) return response('UNKNOWN_SESSION', 'No session of your customers has this id.')
      if (isTerminal(session.state)) return response('REJECTED', 'The session has ended.')
      return accept(request, response_url, session.partner, (signal) => stop(request.context, session, signal))
    }),
    // A cable that comes free may end a charge: never another one's.
    command('UNLOCK_CONNECTOR', UnlockConnector, (request, body) =>
      atEvse(request, body, undefined, async (found) =>
        (await chargesForOthers(request, found)) ? { result: 'REJECTED' } : unlock(request.context, found),
      ),
    ),
    {
      method: 'POST',
      path: '/{command}',
      handle: ({ params }) => refused(INVALID, `${params.command} is no command: see CommandType.`),
    },
  ],
}

/** OCPI-A4: a partner sees sessions of its own tokens only. */
export async function sessionOf(
  { context, partner }: Pick<OcpiRequest, 'context' | 'partner'>,
  sessionId: string,
): Promise<Session | undefined> {
  const session = await context.reads.findSession(sessionId)
  const isItsOwn = session?.accountId === partner.accountId && session.partner?.partnerId === partner.partnerId
  return isItsOwn ? session : undefined
}

async function chargesForOthers({ context, partner }: OcpiRequest, { chargePoint, evse }: Place): Promise<boolean> {
  const open = await context.reads.listOpenSessions(chargePoint.id)
  return open.some((session) => {
    const outlet = session.evseId ?? session.connectorId
    const isHere = evse.ocppEvseId === undefined || outlet === undefined || outlet === evse.ocppEvseId
    return isHere && session.partner?.partnerId !== partner.partnerId
  })
}

interface WithToken {
  readonly token: unknown
  readonly authorization_reference?: string | undefined
}

type Customer =
  | { readonly partner: PartnerOfSession; readonly groupId: string | undefined }
  | { readonly answer: OcpiAnswer }

/** The partner has authorized it by sending it. */
function readCustomer({ partner, version }: OcpiRequest, { token, authorization_reference }: WithToken): Customer {
  const read = readToken(partner, version, token)
  if (!read.ok) {
    const { message = '' } = read.answer
    return { answer: refused(INVALID, `token: ${message}`) }
  }
  return {
    partner: customerOf(read.token, 'COMMAND', authorization_reference),
    groupId: typeof read.token.body.group_id === 'string' ? read.token.body.group_id : undefined,
  }
}

export function customerOf(
  { partnerId, countryCode, partyId, type, contractId, body, uid }: PartnerToken,
  authMethod: PartnerOfSession['authMethod'],
  authorizationReference: string | undefined,
): PartnerOfSession {
  const spelled = typeof body.uid === 'string' ? body.uid : uid
  const reference = authorizationReference === undefined ? {} : { authorizationReference }
  return { partnerId, countryCode, partyId, uid: spelled, type, contractId, authMethod, ...reference }
}

async function atEvse(
  request: OcpiRequest,
  named: { readonly response_url: string; readonly location_id: string },
  to: Party | undefined,
  carryOut: (found: Place, signal: AbortSignal) => Promise<CommandResult>,
): Promise<OcpiAnswer> {
  const found = await findEvse(request.context, request.partner.accountId, named)
  if ('answer' in found) return found.answer
  if ('because' in found) return response('REJECTED', found.because)
  return accept(request, named.response_url, to, (signal) => carryOut(found.place, signal))
}

/** @param to the customer's party; absent: the provider that the platform names first */
export function accept(
  { partner, party, context }: OcpiRequest,
  responseUrl: string,
  to: Party | undefined,
  carryOut: (signal: AbortSignal) => Promise<object>,
): OcpiAnswer {
  const toParty = to ?? partner.roles.find(({ role }) => role === 'EMSP') ?? partner.roles[0]
  const routing = toParty && { from: party, to: toParty }
  context.results.follow({ partner, url: responseUrl, routing }, carryOut)
  return response('ACCEPTED')
}

export function response(result: string, message?: string): OcpiAnswer {
  const texts = message === undefined ? {} : { message: [{ language: 'en', text: message }] }
  return { data: { result, timeout: TIMEOUT, ...texts } }
}
