/** N09, N10: a customer's data, in pages, and its removal. */
import type { CustomerRequest } from '../../../domain/ports/blocks.ts'
import type { OutgoingCall } from '../../payload.ts'
import type { InboundRules } from '../../translate/message.ts'
import { integer, text, withoutNul } from '../../translate/payload.ts'

/** More than OCPP allows (512). */
const MAX_CHARACTERS = 2_000

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
      MAX_CHARACTERS,
    ),
  }),
}
