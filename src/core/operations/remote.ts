/** Remote start and stop: stored as a pending session before anything is sent (SESSION-A5, SESSION-O7, SESSION-O8). */

import { evsesOf, refuseMissing } from '../../domain/charging/demands.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Settled, SettleOrder, StartedSession, StartSessionOrder } from '../../domain/ports/core.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { RemoteStart, Session } from '../../domain/ports/sessions.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import { limitsOfToken, tighter } from '../../domain/sessions/limits/limits.ts'
import { authoriseKnown } from '../../domain/sessions/orders/authorise.ts'
import { isWaiting } from '../../domain/sessions/orders/remote.ts'
import { newVirtualIdToken } from '../../domain/sessions/orders/virtual-id-token.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { placeAt } from '../../domain/tariffs/places.ts'
import { netLimits } from '../../domain/tax.ts'
import type { CoreContext } from '../context.ts'
import { withTariff } from '../memory/card-tariff.ts'
import type { Station } from '../memory/station.ts'
import { type CallOutcome, readRemoteAnswer } from '../outbound/call-outcome.ts'
import { orderCall } from '../outbound/order-call.ts'
import { dropNeedless } from '../outbound/outbound.ts'
import { decideAnd } from '../reconcile/decide-now.ts'
import { stopAskedAgain, stopBeforeItBegins } from '../reconcile/stops.ts'
import { afterCommit } from '../reconcile/subjects.ts'
import { findStation, NO_SESSION, OrderRefused, refusalOf, refuseWhenAway } from './find-station.ts'
import { waiting } from './send-command.ts'

/** SESSION-O9: a later start would surprise the driver at the connector. */
const START_TTL_LIMIT_MS = 60_000

export async function startSession(context: CoreContext, order: StartSessionOrder): Promise<StartedSession | Refusal> {
  const found = await findStation(context, order.accountId, order.chargePointId)
  if ('refused' in found) return found
  const { station, version } = found
  if (station.chargePoint.registrationStatus !== 'Accepted' || station.state?.status.bootedAt === undefined) {
    return refuse(
      409,
      'charge_point_pending',
      'The charge point is not accepted yet; a session can be started once it has booted.',
    )
  }
  const away = refuseWhenAway(station, order.ttlMs)
  if (away) return away
  const { payment } = order
  const announced = payment && version.webPaymentStarted?.(order.evseId ?? 0, payment.timeoutSeconds)
  if (payment && !announced) return NO_WEB_PAYMENTS
  const missing = payment && station.state && refuseMissing(evsesOf(station.state), order.evseId ?? 0)
  if (missing) return missing

  // OCPI-A4: a card of ours may have the same number.
  const token = order.partner ? undefined : await findIdToken(context, order)
  const now = context.clock.now()
  if (token) await context.stations.budgets.look([token])
  const status = token && authoriseKnown(token, now, context.stations.budgets.isUsedUp(token)).status
  if (status !== undefined && status !== 'Accepted') {
    return refuse(409, 'id_token_not_accepted', `The id token is ${status}.`)
  }
  const tariff = token?.tariff ?? placeAt(station.places ?? [], order)?.tariffs[0] ?? station.tariff
  if (order.limits?.costMicros !== undefined && !tariff) {
    return refuse(422, 'no_tariff', 'No tariff says what the session costs, so its cost cannot be limited: set one.', [
      { pointer: '/limits/cost', code: 'no_tariff', message: 'needs a tariff of the charge point or of the account' },
    ])
  }
  // OCPP21-C6: what a driver agreed to pay is with tax.
  const ordered = payment && order.limits ? netLimits(order.limits, tariff) : order.limits
  const limits = tighter(ordered, token && limitsOfToken(token))
  const ttlMs = Math.min(order.ttlMs ?? START_TTL_LIMIT_MS, START_TTL_LIMIT_MS)
  const sessionId = newUuid(now, context.random)
  const own = payment?.pspRef ?? (version.abilities.startsWithOwnToken ? order.idToken : undefined)
  // SESSION-A5: the user's own card may still stop it, as one of the group or the group itself (authorise.ts).
  const groupId = token?.groupId ?? order.idToken
  const isCardGroup = own === undefined && order.idToken !== undefined && token?.groupId === undefined
  const remoteStart: RemoteStart = {
    virtualIdToken: own ?? newVirtualIdToken(context.random),
    remoteStartId: await context.stations.nextRemoteStartId(),
    groupId,
    ...(isCardGroup && { isCardGroup: true as const }),
    requestedAt: now,
    expiresAt: now + ttlMs + context.settings.sessions.remoteStartTimeoutMs,
  }
  const call = version.remoteStart({
    idToken: { id: remoteStart.virtualIdToken, type: own === undefined ? 'Central' : typeOf(order, token) },
    remoteStartId: remoteStart.remoteStartId,
    evseId: order.evseId,
    connectorId: order.connectorId,
  })
  const faults = version.validateRequest(call.method, call.request)
  if (faults.length > 0) {
    return refuse(422, 'invalid_request', 'The charge point’s OCPP version cannot express this start.', faults)
  }
  const expiresAt = now + ttlMs
  const { answered, whenAnswered } = waiting<CallOutcome>(context, order.waitMs ?? 0)
  try {
    if (payment && announced) {
      // The code is spent in the same commit: used again it announces nothing.
      const { pspRef, code } = payment
      const claim = { kind: 'webPaymentClaimed', pspRef, evseId: order.evseId ?? 0, code, sessionId } as const
      const purpose = { kind: 'command' } as const
      await orderCall(context, { stationId: station.id, call: announced, purpose, expiresAt, input: claim })
    }
    await orderCall(context, {
      stationId: station.id,
      call,
      purpose: { kind: 'remoteStart', sessionId },
      expiresAt,
      input: {
        kind: 'remoteStartRequested',
        sessionId,
        evseId: order.evseId,
        connectorId: order.connectorId,
        externalReference: order.externalReference,
        idToken: payment?.pspRef ?? order.idToken,
        limits,
        tariff: token?.tariff,
        priority: order.priority ?? token?.priority,
        partner: order.partner,
        remoteStart,
      },
      answered: (_, outcome) => answered(outcome),
    })
  } catch (error) {
    return error instanceof OrderRefused ? (SPENT[error.code] ?? refusalOf(error)) : refusalOf(error)
  }
  const pending = sessionOf(station, sessionId)
  if (!pending) return refuse(503, 'not_stored', 'The session could not be stored. Try again later.')
  const outcome = await whenAnswered
  if (!outcome) return pending
  const { outcome: answer } = readRemoteAnswer(version, outcome)
  return { ...(sessionOf(station, sessionId) ?? pending), answer }
}

const NO_WEB_PAYMENTS = refuse(
  422,
  'unsupported_method',
  'The charge point does not speak OCPP 2.1, which has payments by QR code.',
)

const SPENT: Readonly<Record<string, Refusal>> = {
  payment_code_used: refuse(409, 'payment_code_used', 'The code was used already: scan the one that is shown now.'),
  payment_known: refuse(409, 'payment_known', 'A payment with this pspRef is known at the charge point already.'),
}

function typeOf({ payment, partner }: StartSessionOrder, token: IdToken | undefined): string {
  if (payment) return 'DirectPayment'
  return partner && partner.type !== 'RFID' ? 'Central' : (token?.type ?? 'ISO14443')
}

/** Committed before the answer (SESSION-S10); a start without its transaction ends at once (SESSION-S9). */
export async function stopSession(context: CoreContext, session: Session): Promise<Session | Refusal> {
  const found = await findStation(context, session.accountId, session.chargePointId)
  if ('refused' in found) return found
  const { station, version } = found
  const current = sessionOf(station, session.id) ?? session
  if (isTerminal(current.state)) return sessionEnded(current)
  const call = current.transactionId === undefined ? undefined : version.remoteStop(current.transactionId)
  // A 2.0.1 transaction has no number that its station could use after a return to 1.6.
  const faults = call && !isWaiting(current) ? version.validateRequest(call.method, call.request) : []
  if (faults.length > 0) {
    return refuse(422, 'invalid_request', 'The charge point’s OCPP version cannot express this stop.', faults)
  }
  const desired = await wantStop(context, current)
  if ('refused' in desired) return desired
  const { transactionId, state } = desired
  if (state === 'failed') {
    dropNeedless(context, station)
    if (transactionId !== undefined) {
      stopBeforeItBegins(context, station, transactionId, context.clock.now() + START_TTL_LIMIT_MS)
    }
  } else {
    if (transactionId !== undefined) stopAskedAgain(station, transactionId)
    afterCommit(context, station, 'stopRequested')
  }
  return desired
}

async function wantStop(context: CoreContext, session: Session): Promise<Session | Refusal> {
  let result: Session | Refusal = session
  try {
    const input = { kind: 'remoteStopRequested', sessionId: session.id } as const
    await decideAnd(context, session.chargePointId, input, ({ station, decision }) => {
      const isRefused = decision.outcome.refused !== undefined
      const changes = isRefused ? undefined : context.decisions.applied(station, decision)
      const current = sessionOf(station, session.id) ?? session
      result = isRefused ? sessionEnded(current) : current
      return changes
    })
    return result
  } catch (error) {
    return refusalOf(error)
  }
}

async function findIdToken({ store }: CoreContext, order: StartSessionOrder): Promise<IdToken | undefined> {
  const { accountId, idToken } = order
  if (idToken === undefined) return undefined
  const [found] = await store.loadIdTokens(accountId, [idToken.toLowerCase()])
  return found && withTariff(store, found)
}

function sessionEnded({ state }: Session): Refusal {
  return refuse(409, 'session_ended', `The session is ${state} already.`)
}

function sessionOf(station: Station, sessionId: string): Session | undefined {
  return station.state?.sessions.get(sessionId)
}

/** A settlement or correction from the API: one more input in the charge point's queue (COST-L2, COST-L3). */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  session_not_found: NO_SESSION,
  session_not_completed: refuse(
    409,
    'session_not_completed',
    'Only a completed session can be settled; wait for its end.',
  ),
  currency_mismatch: refuse(
    422,
    'currency_mismatch',
    'The session has another currency already; send that one or leave it out.',
    [{ pointer: '/currency', message: 'is not the currency of the session' }],
  ),
  currency_required: refuse(422, 'currency_required', 'The session has no currency yet; send one with the cost.', [
    { pointer: '/currency', message: 'is required with the first cost' },
  ]),
}

export async function settleSession(
  context: CoreContext,
  { chargePointId }: Session,
  order: SettleOrder,
): Promise<Settled | Refusal> {
  const { by, reason, accountId, ...figures } = order
  let result: Settled | Refusal | undefined
  try {
    const input = { ...figures, kind: 'settled' } as const
    // Bills come late: the charge point may have been removed since.
    await decideAnd(
      context,
      chargePointId,
      input,
      ({ station, decision }) => {
        const { refused } = decision.outcome
        const counted = decision.changes.sessions !== undefined
        const changes = counted ? context.decisions.applied(station, decision, undefined, { by, reason }) : undefined
        const after = station.state?.sessions.get(order.sessionId)
        result = refused === undefined && after ? { session: after, counted } : refusal(refused)
        return changes
      },
      accountId,
    )
    return result ?? refusal(undefined)
  } catch (error) {
    return refusalOf(error)
  }
}

function refusal(code: string | undefined): Refusal {
  const known = code === undefined ? undefined : REFUSALS[code]
  return known ?? refuse(409, code ?? 'not_settled', 'The session cannot be settled as it is now.')
}
