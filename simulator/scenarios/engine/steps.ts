import { ID_TOKEN_TYPES } from '../../../src/application/id-tokens/attributes.ts'
import type { SessionState } from '../../../src/domain/ports/sessions.ts'
import { CONNECTOR_STATUSES, FAULT_CODES } from '../../model/facts.ts'
import { VEHICLES } from '../../model/meter.ts'
import { OUTSIDE_SOURCES } from '../../model/smart-charging/outside.ts'

const SESSION_STATES = Object.keys({
  pending: true,
  charging: true,
  suspended: true,
  finishing: true,
  completed: true,
  failed: true,
} satisfies Record<SessionState, true>)

/** `connector` 1, 2 …; `seconds` 0 or more; a list: one of these texts; `?` behind it: may be left out. */
export type MemberType =
  | 'connector'
  | 'seconds'
  | 'percent'
  | 'count'
  | 'number'
  | 'text'
  | 'object'
  | 'list'
  | 'boolean'
  | readonly string[]

export interface StepForm {
  /** What it does, for the description of the format. */
  readonly does: string
  readonly members: Readonly<Record<string, MemberType>>
  readonly required?: readonly string[]
  /** `plug: 1` means `plug: {connector: 1}`. */
  readonly short?: string
  /** Acts through the API: nothing comes of the scenario without a credential. */
  readonly acts?: true
  /** Looks at the API: left out without a credential. */
  readonly looks?: true
}

const connector = { connector: 'connector' } as const

export const STEPS: Readonly<Record<string, StepForm>> = {
  boot: {
    does: 'sends BootNotification; `expect` is the registration status',
    members: { expect: ['Accepted', 'Pending', 'Rejected'] },
    short: 'expect',
  },
  plug: {
    does: 'plugs a car in, with `soc` percent in its battery; `needs` is what it says that it needs (ISO 15118, 2.0.1)',
    members: {
      ...connector,
      soc: 'percent',
      vehicle: Object.keys(VEHICLES),
      atMostAmps: 'number',
      needs: 'object',
    },
    short: 'connector',
  },
  swipe: {
    does: 'shows a card; the first time starts, the second time ends the charge',
    members: {
      ...connector,
      token: 'text',
      type: ID_TOKEN_TYPES,
      expect: ['started', 'stopped', 'waiting', 'refused'],
    },
    required: ['token'],
    short: 'token',
  },
  unplug: { does: 'pulls the cable', members: connector, short: 'connector' },
  wait: {
    does: 'lets simulated seconds pass',
    members: { seconds: 'seconds' },
    required: ['seconds'],
    short: 'seconds',
  },
  suspend: {
    does: 'stops the flow of energy, by the car or the station',
    members: { ...connector, by: ['ev', 'evse'] },
    short: 'connector',
  },
  resume: { does: 'lets energy flow again', members: connector, short: 'connector' },
  fault: {
    does: 'reports a fault and opens the contactor',
    members: { ...connector, code: FAULT_CODES },
    required: ['code'],
    short: 'code',
  },
  clearFault: { does: 'the fault is over', members: connector, short: 'connector' },
  limit: {
    does: 'somebody else than the central system limits the station, or one connector',
    members: { ...connector, amps: 'number', watts: 'number', source: OUTSIDE_SOURCES },
    short: 'amps',
  },
  clearLimit: {
    does: 'that limit is gone',
    members: { ...connector, source: OUTSIDE_SOURCES },
    short: 'source',
  },
  offline: { does: 'loses the network; charging goes on', members: {} },
  online: { does: 'has the network again and says what waited', members: {} },
  powerCut: { does: 'loses its power', members: {} },
  powerUp: { does: 'has power again, boots and ends what was open', members: {} },
  register: {
    does: 'sets the meter’s register, as a meter that forgets',
    members: { ...connector, wh: 'number' },
    required: ['wh'],
    short: 'wh',
  },
  clock: {
    does: 'sets the station’s clock so many seconds forward (or back)',
    members: { seconds: 'number' },
    required: ['seconds'],
    short: 'seconds',
  },
  transactionIds: {
    does: 'names the next transactions of 2.0.1 by counting on from here, as a station that forgot its counter',
    members: { from: 'number' },
    required: ['from'],
    short: 'from',
  },
  chargeLimit: {
    does: 'the driver limits the charge at the station: energy in watt-hours, time in seconds (2.1)',
    members: { ...connector, maxCost: 'number', maxEnergy: 'number', maxTime: 'seconds', maxSoC: 'percent' },
  },
  meterValues: { does: 'reports the meter now', members: connector, short: 'connector' },
  call: {
    does: 'any CALL; `expect` is part of the answer, `error` the code of a CALLERROR',
    members: { method: 'text', request: 'object', expect: 'object', error: 'text' },
    required: ['method', 'request'],
  },
  say: {
    does: 'any text as a frame of its own',
    members: { text: 'text' },
    required: ['text'],
    short: 'text',
  },
  received: {
    does: 'waits until the central system has sent this CALL; `with` is part of its payload',
    members: { method: 'text', with: 'object' },
    required: ['method'],
    short: 'method',
  },
  said: {
    does: 'waits until the station has sent this CALL (or, in 2.1, this SEND); `with` is part of its payload, `times` how often at least',
    members: { method: 'text', with: 'object', times: 'count' },
    required: ['method'],
    short: 'method',
  },
  connectorIs: {
    does: 'waits until the connector is as described',
    members: {
      ...connector,
      status: CONNECTOR_STATUSES,
      plugged: 'boolean',
      minPowerKw: 'number',
      maxPowerKw: 'number',
      cost: 'number',
    },
  },
  display: {
    does: 'waits until the display shows this text, or so many messages (2.0.1)',
    members: { shows: 'text', count: 'count' },
    short: 'shows',
  },
  api: {
    does: 'asks the API: `send` is method and path; `status` and `expect` (part of the body) are checked',
    members: { send: 'text', body: 'object', status: 'number', expect: 'object' },
    required: ['send'],
    short: 'send',
    acts: true,
  },
  command: {
    does: 'sends the station a command through the API and waits for its answer; `expect` is part of it',
    members: { method: 'text', request: 'object', expect: 'object' },
    required: ['method', 'request'],
    acts: true,
  },
  session: {
    does: 'waits until the API shows the newest session (or that of `charge` 1, 2 …) like this; `energy: meter` compares with the meter',
    members: {
      charge: 'count',
      state: SESSION_STATES,
      energy: ['meter'],
      maxEnergyKwh: 'number',
      minEnergyKwh: 'number',
      count: 'count',
    },
    looks: true,
  },
  chargePoint: {
    does: 'waits until the API shows the charge point like this (part of the object)',
    members: { expect: 'object' },
    required: ['expect'],
    looks: true,
  },
  logged: {
    does: 'waits until the log of messages has this; `with` is part of the row, `times` how often at least',
    members: { method: 'text', with: 'object', times: 'count' },
    required: ['method'],
    short: 'method',
    looks: true,
  },
}
