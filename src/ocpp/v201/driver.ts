/** O01, O02, O05, O06: a message under our number, which replaces an earlier one. */
import type { CustomerRequest, DesiredMessage, DisplayMessage } from '../../domain/ports/blocks.ts'
import { parseStationTime } from '../station-time.ts'
import { answerBy, type IntentOnWire } from '../translate/blocks-on-wire.ts'
import type { InboundRules } from '../translate/message.ts'
import {
  integer,
  isObject,
  list,
  type OutgoingCall,
  object,
  type Payload,
  sentTime,
  text,
  withoutNul,
} from '../translate/payload.ts'
import { columns } from './from-charge-point.ts'

export const displayMessage: IntentOnWire = {
  set: (intents) => intents.map(({ key, desired }) => ({ call: callOf(desired as DesiredMessage), keys: [key] })),
  readAnswer: ([key = ''], { method }, { status, statusInfo }) => {
    // O05.FR.02: an unknown message is gone.
    const gone = method === 'ClearDisplayMessage' && ({ unknown: 'accepted' } as const)
    const answer = answerBy(status, statusInfo, { accepted: 'accepted', ...gone })
    return answer ? { [key]: answer } : {}
  },
}

function callOf({ clear, id, shownAs, ...requested }: DesiredMessage): OutgoingCall {
  if (clear) return { method: 'ClearDisplayMessage', request: { id } }
  const { format, priority, state, startAt, endAt, transactionId } = requested
  const { content, language } = shownAs ?? requested
  const message = {
    id,
    priority,
    state,
    startDateTime: sentTime(startAt),
    endDateTime: sentTime(endAt),
    transactionId,
    message: { format, ...(language !== undefined && { language }), content },
  }
  return { method: 'SetDisplayMessage', request: { message } }
}

/** More than OCPP allows (512). */
const MAX_CHARACTERS = 1_000
const MAX_NAME_CHARACTERS = 50

/** O03, O04. Pages have no numbers: they arrive in order. */
export const notifyDisplayMessages: InboundRules = {
  effect: 'page of the messages on the display; they are stored, and all of them are compared with the desired ones',
  input: (request) => ({
    kind: 'displayPage',
    requestId: integer(request.requestId),
    isLast: request.tbc !== true,
    messages: list(request.messageInfo).filter(isObject).flatMap(readMessage),
  }),
  // OCPP-LG3: messages may have transactions; a page is found by its first.
  columns: (request, _outcome, raw) => {
    const named = list(request.messageInfo).find((entry) => object(entry).transactionId !== undefined)
    return columns({ transactionId: object(named).transactionId }, raw)
  },
}

function readMessage(reported: Payload): readonly DisplayMessage[] {
  const { content, format, language } = object(reported.message)
  const id = integer(reported.id)
  if (id === undefined) return []
  const name = (value: unknown): string | undefined => text(value)?.slice(0, MAX_NAME_CHARACTERS)
  const time = (value: unknown): number | undefined => {
    const said = text(value)
    return said === undefined ? undefined : parseStationTime(said)
  }
  const [state, startAt, endAt] = [name(reported.state), time(reported.startDateTime), time(reported.endDateTime)]
  const [transactionId, spoken] = [name(reported.transactionId), name(language)]
  return [
    {
      id,
      priority: name(reported.priority) ?? '',
      format: name(format) ?? '',
      content: (text(content) ?? '').slice(0, MAX_CHARACTERS),
      language: spoken,
      state,
      startAt,
      endAt,
      transactionId,
    },
  ]
}

/** N09, N10: a customer's data, in pages, and its removal. */

/** More than OCPP allows (512). */
const MAX_PAGE_CHARACTERS = 2_000

export function askForCustomer({ requestId, asked }: Pick<CustomerRequest, 'requestId' | 'asked'>): OutgoingCall {
  const { idToken, idTokenType, customerIdentifier, customerCertificate, report, clear } = asked
  return {
    method: 'CustomerInformation',
    request: {
      requestId,
      report,
      clear,
      ...(idToken !== undefined && { idToken: { idToken, type: idTokenType ?? 'ISO14443' } }),
      customerIdentifier,
      customerCertificate,
    },
  }
}

export const notifyCustomerInformation: InboundRules = {
  effect: 'page of what is known of a customer; kept until it was delivered once, and not shown in the log',
  input: (request) => ({
    kind: 'customerPage',
    requestId: integer(request.requestId),
    sequence: integer(request.seqNo),
    isLast: request.tbc !== true,
    // A page may end between two words.
    data: (typeof request.data === 'string' ? withoutNul(request.data) : (text(request.data) ?? '')).slice(
      0,
      MAX_PAGE_CHARACTERS,
    ),
  }),
}
