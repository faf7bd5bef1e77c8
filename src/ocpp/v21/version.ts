import { assembleVersion } from '../translate/assemble-version.ts'
import { commandsOf201, listEntries } from '../v201/version.ts'
import { charging } from './charging.ts'
import { inbound } from './inbound.ts'
import { outbound } from './outbound.ts'
import { webPaymentStarted } from './payments.ts'
import { tariff } from './tariffs.ts'
import { transactionTrigger } from './transaction-event.ts'

const ID_TOKEN_LIMIT = 255
const TYPE_LIMIT = 20

/** OCPP 2.1 edition 2: 2.0.1, and what differs. */
export const ocpp21 = assembleVersion('ocpp2.1', inbound, outbound, {
  ...commandsOf201,
  webPaymentStarted,
  abilities: { ...commandsOf201.abilities, hasSend: true },
  intents: { ...commandsOf201.intents, tariff },
  transactionTrigger,
  charging,
  certificateSigned: ({ chain, type, stationRequestId }) => ({
    method: 'CertificateSigned',
    request: { certificateChain: chain, certificateType: type, requestId: stationRequestId },
  }),
  localLists: { ...commandsOf201.localLists, entry: listEntries(ID_TOKEN_LIMIT, (type) => type.length <= TYPE_LIMIT) },
})
