import { SECRET_PREFIXES } from '../domain/accounts/credentials.ts'
import { DEFAULT_VOLTAGE_V } from '../domain/charging/profile.ts'
import { OCPP_VERSIONS } from '../domain/ocpp-versions.ts'
import { byMode, flag, named, setting } from './setting.ts'
import { addressWith, identity, listOf, oneOf, secretText, webAddress, wholeNumber } from './setting-kinds.ts'

/** A socket of 100 V in Japan, and what transformers of fast chargers take in. */
export const LEAST_VOLTAGE = 100
/** Of `PILOTWIRE_VOLTAGE`, as `LEAST_VOLTAGE`. */
export const MAX_VOLTAGE = 1000
const MAX_TIMER_SECONDS = 14 * 86_400

/** Which charge points and cards are let in, and how patient the wire is; seconds unless the name says ms. */
export const ocppSettings = named({
  unknownChargePoints: setting(oneOf('accept', 'pending', 'reject'), {
    description:
      'What happens to an unregistered charge point. accept: it is created; pending: it is stored and answered Pending until it is approved; reject: it is refused with 404.',
    example: 'pending',
    default: byMode('accept', 'reject'),
  }),
  unknownIdTokens: setting(oneOf('accept', 'reject'), {
    description:
      'What happens to an RFID card or other id token that is not registered. accept: it is created and may charge.',
    example: 'reject',
    default: byMode('accept', 'reject'),
  }),
  concurrentTransactions: setting(oneOf('accept', 'reject'), {
    description:
      'What a card is answered that starts a second charge at an OCPP 1.6 charge point where one of its own runs. reject: ConcurrentTx, at which most stations stop it.',
    example: 'reject',
    default: () => 'accept',
  }),
  receiptUrl: setting(addressWith('{pspRef}'), {
    description:
      'Where drivers find the receipt of a payment at an OCPP 2.1 charge point; {pspRef} is the reference of the payment. Charge points show it unless they make receipts themselves. Without it they are sent none.',
    example: 'https://pay.example.com/receipts/{pspRef}',
  }),
  vatHookUrl: setting(webAddress, {
    description:
      'Address of a service of yours that is sent each VAT number that an OCPP 2.1 charge point asks about, and says whether it is valid. Needs PILOTWIRE_VAT_HOOK_SECRET. Without it every number is refused.',
    example: 'https://pay.example.com/vat-numbers',
  }),
  vatHookSecret: setting(secretText(16, 1024), {
    description: 'Signs these requests as the secret of a webhook signs its deliveries.',
    example: `${SECRET_PREFIXES.webhookSecret}AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8`,
    secret: true,
  }),
  voltage: setting(wholeNumber(LEAST_VOLTAGE, MAX_VOLTAGE, 'volts'), {
    description:
      'Of each phase: what watts of charging limits, limit groups, loads and meters are in amperes, and the other way round.',
    example: '240',
    default: () => DEFAULT_VOLTAGE_V,
  }),
  ocppValidation: setting(oneOf('lenient', 'strict'), {
    description:
      'lenient: messages with harmless schema faults are repaired, answered and marked; strict: they are refused. A charge point may have its own.',
    example: 'strict',
    default: () => 'lenient',
  }),
  ocppReports: setting(oneOf('automatic', 'manual'), {
    description:
      'automatic: a charge point is asked for all its variables after its first boot and after a change of firmware; manual: only when a report is ordered.',
    example: 'manual',
    default: () => 'automatic',
  }),
  ocppMaxFrame: setting(wholeNumber(1024, 64 * 1024 * 1024, 'bytes'), {
    description: 'Largest message of a charge point; a larger one closes its connection with code 1009.',
    default: () => 1024 * 1024,
  }),
  ocppCallTimeoutSeconds: setting(wholeNumber(1, 3600, 'seconds'), {
    description: 'How long a command to a charge point waits for its answer before the next one is sent.',
    default: () => 30,
  }),
  ocppPingIntervalSeconds: setting(wholeNumber(1, 3600, 'seconds'), {
    description:
      'Silence after which a charge point is pinged; two missed answers end the connection. Must stay below the read timeout of a proxy in front (nginx: 60 s).',
    default: () => 45,
  }),
  ocppWithoutPong: setting(listOf(identity, 'charge point identities, percent-encoded like in their address'), {
    description:
      'Charge points that never answer a ping: their connection is not ended for it. A dead one is then noticed only when the network gives it up or it connects again.',
    example: 'EV-001,EV-002',
    default: () => [],
  }),
  ocppVersions: setting(listOf(oneOf(...OCPP_VERSIONS), 'OCPP versions'), {
    description:
      'OCPP versions that charge points may use whose registration names none. One that names its own may use those, 2.1 as well.',
    example: '1.6,2.0.1,2.1',
    default: () => OCPP_VERSIONS.slice(0, 2),
  }),
  ocppProtocolOrder: setting(oneOf('client', 'server'), {
    description:
      'Who chooses where a charge point offers several OCPP versions. client: the first that it names and may use, as the specification says; server: the newest.',
    example: 'server',
    default: () => 'client',
  }),
  ocppTolerantProtocols: flag(
    'For old firmware: a charge point that names no sub-protocol is taken for OCPP 1.6, and names count in any case (OCPP1.6).',
  ),
  ocppMaxUpgrades: setting(wholeNumber(1, 100_000), {
    description:
      'Charge points that may be in the middle of connecting. More wait up to five seconds, and are then answered 503 with a time to come back.',
    example: '50',
    default: () => 200,
  }),
  ocppMaxQueue: setting(wholeNumber(0, 10_000_000, 'messages'), {
    description:
      'While more messages wait to be stored, new connections are answered 503 with a time to come back; connected charge points are served. 0 = no limit.',
    example: '5000',
    default: () => 20_000,
  }),
  ocppMaxLagMs: setting(wholeNumber(0, 60_000, 'milliseconds'), {
    description:
      'The same while the server is this far behind: the time its core takes to answer a question. 0 = no limit.',
    example: '1000',
    default: () => 3000,
  }),
  heartbeatIntervalSeconds: setting(wholeNumber(1, 86_400, 'seconds'), {
    description: 'Heartbeat interval that charge points receive when they boot.',
    default: () => 300,
  }),
  remoteStartTimeoutSeconds: setting(wholeNumber(1, MAX_TIMER_SECONDS, 'seconds'), {
    description: 'How long a session started through the API waits for its cable before it fails.',
    default: () => 600,
  }),
  orphanTimeoutSeconds: setting(wholeNumber(1, MAX_TIMER_SECONDS, 'seconds'), {
    description:
      'How long a transaction whose connector looks free waits for its late stop before it is closed with an estimate. At least the time a charge point spends on retries.',
    default: () => 900,
  }),
})
