import { oneOf, wholeNumber } from './kinds.ts'
import { byMode, type SettingsTable } from './setting.ts'

const MAX_TIMER_SECONDS = 14 * 86_400

export const ocppSettings = {
  unknownChargePoints: {
    ...oneOf('accept', 'pending', 'reject'),
    name: 'PILOTWIRE_UNKNOWN_CHARGE_POINTS',
    description:
      'What happens to a charge point nobody registered. accept: it is created; pending: it is stored and answered Pending until somebody approves it; reject: it is refused with 404.',
    example: 'pending',
    default: byMode('accept', 'reject'),
  },
  unknownIdTokens: {
    ...oneOf('accept', 'reject'),
    name: 'PILOTWIRE_UNKNOWN_ID_TOKENS',
    description:
      'What happens to an RFID card or other id token nobody registered. accept: it is created and may charge.',
    example: 'reject',
    default: byMode('accept', 'reject'),
  },
  ocppValidation: {
    ...oneOf('lenient', 'strict'),
    name: 'PILOTWIRE_OCPP_VALIDATION',
    description:
      'lenient: messages with harmless schema faults are repaired, answered and marked; strict: they are refused. A charge point may have its own.',
    example: 'strict',
    default: () => 'lenient',
  },
  ocppMaxFrame: {
    ...wholeNumber(1024, 64 * 1024 * 1024, 'bytes'),
    name: 'PILOTWIRE_OCPP_MAX_FRAME',
    description: 'Largest message of a charge point; a larger one closes its connection with code 1009.',
    example: '1048576',
    default: () => 1024 * 1024,
  },
  ocppCallTimeoutSeconds: {
    ...wholeNumber(1, 3600, 'seconds'),
    name: 'PILOTWIRE_OCPP_CALL_TIMEOUT',
    description: 'How long a command to a charge point waits for its answer before the next one is sent.',
    example: '30',
    default: () => 30,
  },
  ocppPingIntervalSeconds: {
    ...wholeNumber(1, 3600, 'seconds'),
    name: 'PILOTWIRE_OCPP_PING_INTERVAL',
    description:
      'Silence after which a charge point is pinged; two missed answers end the connection. Must stay below the read timeout of a proxy in front (nginx: 60 s).',
    example: '45',
    default: () => 45,
  },
  heartbeatIntervalSeconds: {
    ...wholeNumber(1, 86_400, 'seconds'),
    name: 'PILOTWIRE_HEARTBEAT_INTERVAL',
    description: 'Heartbeat interval that charge points are told when they boot.',
    example: '300',
    default: () => 300,
  },
  remoteStartTimeoutSeconds: {
    ...wholeNumber(1, MAX_TIMER_SECONDS, 'seconds'),
    name: 'PILOTWIRE_REMOTE_START_TIMEOUT',
    description: 'How long a session started through the API waits for its cable before it fails.',
    example: '600',
    default: () => 600,
  },
  orphanTimeoutSeconds: {
    ...wholeNumber(1, MAX_TIMER_SECONDS, 'seconds'),
    name: 'PILOTWIRE_ORPHAN_TIMEOUT',
    description:
      'How long a transaction whose connector looks free waits for its late stop before it is closed with an estimate. At least the time a charge point spends on retries.',
    example: '900',
    default: () => 900,
  },
} satisfies Partial<SettingsTable>
