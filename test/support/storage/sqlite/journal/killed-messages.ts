/** For tests of kills: what the stations of a script say, in the words of their versions. */
import { BOOT } from '../../../core/testing.ts'

export const CARDS = ['CARD-1', 'CARD-2', 'CARD-3']
const STATUSES = {
  'ocpp1.6': ['Available', 'Preparing', 'Charging', 'SuspendedEV', 'SuspendedEVSE', 'Finishing', 'Faulted'],
  'ocpp2.0.1': ['Available', 'Occupied', 'Faulted', 'Unavailable'],
}
const CHARGING_STATES = ['Charging', 'SuspendedEV', 'SuspendedEVSE', 'EVConnected']

/** Of one station: what it must remember to go on. */
export interface Memory {
  messages: number
  register: number
  readonly running: Map<number, { readonly id: string | number; seqNo: number }>
  withheld: [action: string, payload: object][]
  last: [action: string, payload: object, messageId: string] | undefined
}

export const nothingYet = (): Memory => ({
  messages: 0,
  register: 1_000,
  running: new Map(),
  withheld: [],
  last: undefined,
})

type Said = [action: string, payload: object]
type Messages = Readonly<
  Record<
    'boot' | 'status' | 'heartbeat' | 'authorize' | 'start' | 'sample' | 'stop' | 'notice',
    (memory: Memory, connector: number, n: number, timestamp: string) => Said | undefined
  >
>

export const messages16: Messages = {
  boot: () => ['BootNotification', BOOT['ocpp1.6']],
  heartbeat: () => ['Heartbeat', {}],
  authorize: (_, __, n) => ['Authorize', { idTag: CARDS[n % 3] }],
  status: (_, connectorId, n, timestamp) => {
    const status = STATUSES['ocpp1.6'][n % 7]
    const errorCode = status === 'Faulted' ? 'GroundFailure' : 'NoError'
    return ['StatusNotification', { connectorId, status, errorCode, ...(n > 6 && { timestamp }) }]
  },
  start: ({ register }, connectorId, n, timestamp) => [
    'StartTransaction',
    { connectorId, idTag: CARDS[n % 3], meterStart: register, timestamp },
  ],
  sample: (memory, connectorId, n, timestamp) => {
    const transactionId = memory.running.get(connectorId)?.id
    memory.register += n * 50
    const power = { value: String(n * 500), measurand: 'Power.Active.Import', unit: 'W' }
    const sampledValue = [{ value: String(memory.register) }, ...(n % 2 ? [power] : [])]
    return ['MeterValues', { connectorId, transactionId, meterValue: [{ timestamp, sampledValue }] }]
  },
  stop: (memory, connectorId, n, timestamp) => {
    const transactionId = memory.running.get(connectorId)?.id
    if (transactionId === undefined) return undefined
    if (n > 0) memory.running.delete(connectorId)
    return ['StopTransaction', { transactionId, meterStop: memory.register + n, timestamp, reason: 'Local' }]
  },
  notice: (_, connectorId, n) =>
    n % 2
      ? ['FirmwareStatusNotification', { status: n % 4 === 1 ? 'Downloading' : 'Installed' }]
      : ['DataTransfer', { vendorId: 'acme', messageId: 'door', data: `${connectorId} ${n}` }],
}

const event201 = (
  eventType: string,
  triggerReason: string,
  running: { readonly id: string | number; seqNo: number },
  [evseId, timestamp, register, more]: readonly [number, string, number, object],
  n: number,
): Said => [
  'TransactionEvent',
  {
    eventType,
    timestamp,
    triggerReason,
    seqNo: running.seqNo++,
    transactionInfo: { transactionId: running.id, chargingState: CHARGING_STATES[n % 4] },
    evse: { id: evseId, connectorId: 1 },
    meterValue: [{ timestamp, sampledValue: [{ value: register }] }],
    ...more,
  },
]

export const messages201: Messages = {
  boot: () => ['BootNotification', BOOT['ocpp2.0.1']],
  heartbeat: () => ['Heartbeat', {}],
  authorize: (_, __, n) => ['Authorize', { idToken: { idToken: CARDS[n % 3], type: 'ISO14443' } }],
  status: (_, evseId, n, timestamp) => [
    'StatusNotification',
    { evseId, connectorId: 1, connectorStatus: STATUSES['ocpp2.0.1'][n % 4], timestamp },
  ],
  start: (memory, evseId, n, timestamp) => {
    const running = { id: `T-${memory.messages}`, seqNo: 0 }
    memory.running.set(evseId, running)
    const more = { idToken: { idToken: CARDS[n % 3], type: 'ISO14443' } }
    return event201('Started', 'Authorized', running, [evseId, timestamp, memory.register, more], n)
  },
  sample: (memory, evseId, n, timestamp) => {
    const running = memory.running.get(evseId)
    if (!running) return undefined
    memory.register += n * 50
    return event201('Updated', 'MeterValuePeriodic', running, [evseId, timestamp, memory.register, {}], n)
  },
  stop: (memory, evseId, n, timestamp) => {
    const running = memory.running.get(evseId)
    if (!running) return undefined
    memory.running.delete(evseId)
    return event201('Ended', 'StopAuthorized', running, [evseId, timestamp, memory.register + n, {}], n)
  },
  notice: (_, evseId, n, timestamp) =>
    n % 2
      ? ['SecurityEventNotification', { type: 'SettingSystemTime', timestamp }]
      : ['DataTransfer', { vendorId: 'acme', messageId: 'door', data: `${evseId} ${n}` }],
}
