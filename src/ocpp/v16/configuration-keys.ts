/** Configuration keys of 1.6 (§5.3, §5.8): as intents, and in the view of the device model. */
import type { FoundValue, MessageLimits, ReportCall, ReportedValue } from '../../domain/ports/blocks.ts'
import { answerBy, type DeviceModelOnWire, type IntentOnWire, type IntentsOnWire } from '../translate/blocks-on-wire.ts'
import { isObject, list, type OutgoingCall, type Payload, text } from '../translate/payload.ts'

import STANDARD_KEYS from './standard-keys.json' with { type: 'json' }

/** Keys per GetConfiguration, for stations without a stated limit. */
const DEFAULT_KEYS = 10
const VALUE_CHARACTERS = 2500
const KEY_CHARACTERS = 100
/** DEVICE-A8 */
const COMPONENT = 'ChargePoint'

const MEANINGS = { accepted: 'accepted', rebootrequired: 'rebootRequired', notsupported: 'unsupported' } as const

const configurationKey: IntentOnWire = {
  set: (intents) =>
    intents.map(({ key, desired }) => ({
      call: { method: 'ChangeConfiguration', request: { key, value: String(desired) } },
      keys: [key],
    })),
  readAnswer: (keys, _call, { status }) => {
    const answer = answerBy(status, undefined, MEANINGS)
    return answer ? Object.fromEntries(keys.map((key) => [key, answer])) : {}
  },
  readBack: {
    calls: (intents, limits) =>
      inKeys(
        intents.map(({ key }) => key),
        limits,
      ).map((call) => ({ call, keys: call.request.key as readonly string[] })),
    found: (keys, _call, response) => {
      const reported = new Map(valuesOf(response).map(({ variable, value }) => [variable.name.toLowerCase(), value]))
      const unknown = new Set(list(response.unknownKey).map((key) => text(key)?.toLowerCase()))
      return Object.fromEntries(
        keys.flatMap((key): [string, FoundValue][] => {
          const name = key.toLowerCase()
          if (!reported.has(name)) return unknown.has(name) ? [[key, 'unreadable']] : []
          const value = reported.get(name)
          return [[key, value === undefined ? 'unreadable' : { value }]]
        }),
      )
    },
  },
}

export const intents: IntentsOnWire = { configurationKey }

export const deviceModel: DeviceModelOnWire = {
  reportCalls({ base, componentVariables = [] }, limits, asksInTens) {
    if (base !== undefined) {
      const calls = asksInTens ? inKeys(STANDARD_KEYS, limits) : [{ method: 'GetConfiguration', request: {} }]
      return { calls, needsRequestId: false, isWhole: !asksInTens && base !== 'SummaryInventory' }
    }
    const keys = componentVariables.flatMap(({ variable }) => (variable ? [variable.name] : []))
    return keys.length === 0 ? undefined : { calls: inKeys(keys, limits), needsRequestId: false, isWhole: false }
  },
  isAskedAtOnce: false,
  inTens: ({ method, request }, limits) =>
    method === 'GetConfiguration' && request.key === undefined ? inKeys(STANDARD_KEYS, limits) : undefined,
  readReportAnswer: (response) => ({ outcome: 'values', values: valuesOf(response) }),
  readValues: ({ method }: OutgoingCall, response) => (method === 'GetConfiguration' ? valuesOf(response) : []),
  reset: { call: { method: 'Reset', request: { type: 'Soft' } }, waits: false },
}

function inKeys(keys: readonly string[], { maxKeys = DEFAULT_KEYS }: MessageLimits): readonly ReportCall[] {
  const most = Math.max(1, Math.min(maxKeys, DEFAULT_KEYS))
  const calls: ReportCall[] = []
  for (let at = 0; at < keys.length; at += most) {
    calls.push({ method: 'GetConfiguration', request: { key: keys.slice(at, at + most) } })
  }
  return calls
}

function valuesOf(response: Payload): readonly ReportedValue[] {
  return list(response.configurationKey)
    .filter(isObject)
    .flatMap(({ key, value, readonly }) => {
      const name = text(key)?.slice(0, KEY_CHARACTERS)
      if (name === undefined) return []
      const reported = typeof value === 'boolean' || typeof value === 'number' ? String(value) : value
      return [
        {
          component: { name: COMPONENT },
          variable: { name },
          attribute: 'Actual',
          mutability: readonly === true ? 'ReadOnly' : 'ReadWrite',
          ...(typeof reported === 'string' && { value: reported.slice(0, VALUE_CHARACTERS) }),
        },
      ]
    })
}
