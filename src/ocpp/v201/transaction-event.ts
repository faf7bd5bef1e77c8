import type { Activity, Outcome } from '../../domain/ports/sessions.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import type { ReportedTerms } from '../../domain/sessions/limits/records.ts'
import { stationTime } from '../station-time.ts'
import type { InboundRules } from '../translate/message.ts'
import { integer, object, oneOf, type Payload, text, transactionIdText } from '../translate/payload.ts'
import type { TranslationContext } from '../version.ts'
import { idToken, idTokenInfo, samples } from './from-charge-point.ts'

type TransactionEvent = Extract<Input, { kind: 'transactionEvent' }>

const eventWord = oneOf(['started', 'updated', 'ended'])

const ACTIVITIES: ReadonlyMap<string, Activity> = new Map([
  ['charging', 'charging'],
  ['evconnected', 'connected'],
  ['suspendedev', 'suspendedEv'],
  ['suspendedevse', 'suspendedEvse'],
  ['idle', 'idle'],
])

/** OCPP 2.0.1 E01-E15. Always answered (OCPP-DR4). The cost only at the end and if known: 0 is free (OCPP-DR12). */
export const transactionEvent = transactionEventWith(() => undefined)

/** @param termsOf what a newer version says beside: one input is made for all, as a copy costs processor time */
export function transactionEventWith(termsOf: (request: Payload) => ReportedTerms | undefined): InboundRules {
  return {
    effect:
      'transaction, session, samples; Ended completes the session with final energy and cost; signed values are kept',
    billing: true,
    input: (request, context) => {
      const transactionId = transactionIdText(object(request.transactionInfo).transactionId, context.raw)
      if (transactionId === undefined) return nameless(request, context)
      return event(request, transactionId, context, termsOf(request))
    },
    answer: answered,
  }
}

export function answered(request: Payload, { authorisation, totalCost }: Outcome): Payload {
  return {
    ...(idToken(request.idToken) && { idTokenInfo: idTokenInfo(authorisation) }),
    ...(totalCost !== undefined && eventOf(request) === 'ended' && { totalCost }),
  }
}

function event(
  request: Payload,
  transactionId: string,
  { receivedAt, digest }: TranslationContext,
  atStation: ReportedTerms | undefined,
): TransactionEvent {
  const info = object(request.transactionInfo)
  const evse = object(request.evse)
  const at = stationTime(request.timestamp, receivedAt)
  return {
    kind: 'transactionEvent',
    event: eventOf(request),
    transactionId,
    sequenceNumber: integer(request.seqNo) ?? 0,
    // SESSION-B7: the default for unknown ones.
    trigger: text(request.triggerReason) ?? 'ChargingStateChanged',
    at: request.offline === true ? { ...at, isQueued: true } : at,
    samples: samples(request.meterValue, receivedAt),
    digest: digest(),
    activity: ACTIVITIES.get(text(info.chargingState)?.toLowerCase() ?? ''),
    evseId: integer(evse.id),
    connectorId: integer(evse.connectorId),
    idToken: idToken(request.idToken),
    remoteStartId: integer(info.remoteStartId),
    reservationId: integer(request.reservationId),
    stoppedReason: text(info.stoppedReason),
    atStation,
  }
}

function eventOf(request: Payload): TransactionEvent['event'] {
  return eventWord(request.eventType) ?? 'updated'
}

/** An event without a transaction: its token still gets a verdict, and its samples count for the EVSE. */
function nameless(request: Payload, { receivedAt }: TranslationContext): Input {
  const token = idToken(request.idToken)
  if (token) return { kind: 'authorise', idToken: token }
  return {
    kind: 'sampled',
    evseId: integer(object(request.evse).id),
    connectorId: 0,
    transactionId: undefined,
    samples: samples(request.meterValue, receivedAt),
  }
}
