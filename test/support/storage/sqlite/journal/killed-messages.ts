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
type Saying = (memory: Memory, connector: number, n: number, timestamp: string) => Said | undefined
type Messages = Readonly<
  Record<'boot' | 'status' | 'heartbeat' | 'authorize' | 'start' | 'sample' | 'stop' | 'notice', Saying>
> & {
  /** By message type 6. */
  readonly stream?: Saying
}

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

/** With the members that the newer version has: costs, limits, and a driver without any card. */
const richer = ([action, payload]: Said, more: object, info: object = {}): Said => {
  const { transactionInfo, ...request } = payload as { readonly transactionInfo: object }
  return [action, { ...request, ...more, transactionInfo: { ...transactionInfo, ...info } }]
}

const costsOf = (n: number) => ({
  costDetails: {
    totalCost: { currency: 'EUR', typeOfCost: 'NormalCost', total: { exclTax: n, inclTax: n * 1.19 } },
    totalUsage: { energy: n, chargingTime: 60, idleTime: 0 },
  },
})

export const messages21: Messages = {
  ...messages201,
  authorize: (...of) => (of[2] % 2 ? ['Authorize', { idToken: NO_CARD }] : messages201.authorize(...of)),
  status: (memory, id, n, timestamp) => {
    if (n % 2) return messages201.status(memory, id, n, timestamp)
    const event = {
      eventId: n,
      timestamp,
      trigger: 'Delta',
      actualValue: STATUSES['ocpp2.0.1'][(n / 2) % 4],
      eventNotificationType: 'HardWiredNotification',
      component: { name: 'Connector', evse: { id, connectorId: 1 } },
      variable: { name: 'AvailabilityState' },
    }
    return ['NotifyEvent', { generatedAt: timestamp, seqNo: 0, eventData: [event] }]
  },
  start: (...of) => {
    const [memory, , n] = of
    const idToken = [NO_CARD, { idToken: `psp-${memory.messages}`, type: 'DirectPayment' }][n % 4]
    const started = messages201.start(...of)
    return started && richer(started, idToken ? { idToken } : {}, { tariffId: `tariff-${n}` })
  },
  sample: (...of) => {
    const sampled = messages201.sample(...of)
    const n = of[2]
    if (!sampled || n % 3 === 0) return sampled
    const [triggerReason, info] = SAMPLES[n % SAMPLES.length] ?? ['RunningCost', {}]
    return richer(sampled, { triggerReason, ...(n % 2 && costsOf(n)) }, info)
  },
  stop: (...of) => {
    const ended = messages201.stop(...of)
    return ended && (of[2] % 2 ? richer(ended, costsOf(of[2])) : ended)
  },
  notice: (memory, connector, n, timestamp) => {
    const [transactionId] = [...memory.running.values()].map(({ id }) => String(id))
    const settled = { status: n % 4 ? 'Settled' : 'Failed', settlementAmount: n, settlementTime: timestamp }
    if (n % 3 === 0) return messages201.notice(memory, connector, n, timestamp)
    return n % 3 === 1
      ? ['NotifySettlement', { pspRef: `psp-${n % 2}`, ...settled, ...(n > 6 && { transactionId }) }]
      : ['SignCertificate', { csr: 'none', requestId: n }]
  },
  stream: (_, id, n, basetime) => [
    'NotifyPeriodicEventStream',
    { id, pending: 0, basetime, data: [{ t: n % 2 ? 0.5 : basetime, v: '230.1' }] },
  ],
}

const NO_CARD = { idToken: '', type: 'NoAuthorization' }
const SAMPLES = [
  ['LimitSet', { transactionLimit: { maxEnergy: 5_000, maxCost: 20 } }],
  ['EnergyLimitReached', { chargingState: 'SuspendedEVSE' }],
  ['TxResumed', {}],
  ['RunningCost', {}],
] as const
