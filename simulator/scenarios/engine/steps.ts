import { ID_TOKEN_TYPES } from '../../../src/application/id-tokens/attributes.ts'
import type { SessionState } from '../../../src/domain/ports/sessions.ts'
import { isObject } from '../../../src/ocpp/translate/payload.ts'
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

/** What a member may be: what is expected in words, and whether a value is it. */
export const TYPES = {
  connector: ['a connector: a whole number from 1', (value) => isWhole(value, 1, 100)],
  seconds: ['seconds, 0 or more', (value) => isWithin(value, 0, 31_536_000)],
  percent: ['a number from 0 to 100', (value) => isWithin(value, 0, 100)],
  count: ['a whole number from 0', (value) => isWhole(value, 0, 1_000_000)],
  number: ['a number', (value) => typeof value === 'number'],
  text: ['text', (value) => typeof value === 'string' || typeof value === 'number'],
  object: ['members', isObject],
  list: ['a list', Array.isArray],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
} as const satisfies Readonly<Record<string, readonly [expected: string, fits: (value: unknown) => boolean]>>

/** A list: one of these texts. */
export type MemberType = keyof typeof TYPES | readonly string[]

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

export function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && isWithin(value, least, most)
}

export interface StepForm {
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
const logged = { method: 'text', with: 'object', times: 'count' } as const

/** README.md says what each of them does. */
export const STEPS: Readonly<Record<string, StepForm>> = {
  boot: { members: { expect: ['Accepted', 'Pending', 'Rejected'] }, short: 'expect' },
  plug: {
    members: { ...connector, soc: 'percent', vehicle: Object.keys(VEHICLES), atMostAmps: 'number', needs: 'object' },
    short: 'connector',
  },
  swipe: {
    members: {
      ...connector,
      token: 'text',
      type: ID_TOKEN_TYPES,
      expect: ['started', 'stopped', 'waiting', 'refused'],
    },
    required: ['token'],
    short: 'token',
  },
  unplug: { members: connector, short: 'connector' },
  wait: { members: { seconds: 'seconds' }, required: ['seconds'], short: 'seconds' },
  suspend: { members: { ...connector, by: ['ev', 'evse'] }, short: 'connector' },
  resume: { members: connector, short: 'connector' },
  fault: { members: { ...connector, code: FAULT_CODES }, required: ['code'], short: 'code' },
  clearFault: { members: connector, short: 'connector' },
  limit: { members: { ...connector, amps: 'number', watts: 'number', source: OUTSIDE_SOURCES }, short: 'amps' },
  clearLimit: { members: { ...connector, source: OUTSIDE_SOURCES }, short: 'source' },
  offline: { members: {} },
  online: { members: {} },
  powerCut: { members: {} },
  powerUp: { members: {} },
  register: { members: { ...connector, wh: 'number' }, required: ['wh'], short: 'wh' },
  clock: { members: { seconds: 'number' }, required: ['seconds'], short: 'seconds' },
  transactionIds: { members: { from: 'number' }, required: ['from'], short: 'from' },
  chargeLimit: {
    members: { ...connector, maxCost: 'number', maxEnergy: 'number', maxTime: 'seconds', maxSoC: 'percent' },
  },
  meterValues: { members: connector, short: 'connector' },
  call: {
    members: { method: 'text', request: 'object', expect: 'object', error: 'text' },
    required: ['method', 'request'],
  },
  say: { members: { text: 'text' }, required: ['text'], short: 'text' },
  received: { members: { method: 'text', with: 'object' }, required: ['method'], short: 'method' },
  said: { members: logged, required: ['method'], short: 'method' },
  connectorIs: {
    members: {
      ...connector,
      status: CONNECTOR_STATUSES,
      plugged: 'boolean',
      minPowerKw: 'number',
      maxPowerKw: 'number',
      cost: 'number',
    },
  },
  display: { members: { shows: 'text', count: 'count' }, short: 'shows' },
  api: {
    members: { send: 'text', body: 'object', status: 'number', expect: 'object' },
    required: ['send'],
    short: 'send',
    acts: true,
  },
  command: {
    members: { method: 'text', request: 'object', expect: 'object' },
    required: ['method', 'request'],
    acts: true,
  },
  session: {
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
  chargePoint: { members: { expect: 'object' }, required: ['expect'], looks: true },
  logged: { members: logged, required: ['method'], short: 'method', looks: true },
}
