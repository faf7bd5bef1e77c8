/** How far a configuration has come (CONFIG-A11). */

import type { VariableName } from '../device-model/records.ts'
import { nameText } from '../device-model/variable-names.ts'
import type { Intent, IntentState } from '../intents/records.ts'
import { isoTime } from '../iso-time.ts'
import type { Fault } from '../message-log/fault.ts'
import { isTimeZone } from '../time-zone.ts'

const URGENCY: readonly IntentState[] = [
  'conflict',
  'rejected',
  'unsupported',
  'expired',
  'rebootRequired',
  'pending',
  'sent',
  'applied',
  'verified',
]

export interface StationStatus {
  readonly evseControllerId: string
  readonly state: IntentState
  readonly reason?: string | undefined
  readonly updatedAt: string
}

/** One charge point; of several intents the most urgent one speaks for it. */
export function statusOf(evseControllerId: string, intents: readonly Intent[]): StationStatus | undefined {
  const [first] = [...intents].sort((one, other) => URGENCY.indexOf(one.state) - URGENCY.indexOf(other.state))
  if (!first) return undefined
  const { state, reason } = first
  const newest = Math.max(...intents.map(({ updatedAt }) => updatedAt))
  return {
    evseControllerId,
    state,
    ...(reason !== undefined && { reason: intents.length > 1 ? `${first.key}: ${reason}` : reason }),
    updatedAt: isoTime(newest),
  }
}

export function countsOf(stations: readonly StationStatus[]): Readonly<Partial<Record<IntentState, number>>> {
  const counts: Partial<Record<IntentState, number>> = {}
  for (const state of URGENCY) {
    const count = stations.filter((station) => station.state === state).length
    if (count > 0) counts[state] = count
  }
  return counts
}

/** CONFIG-A9: set in other ways, since a wrong value would lock the station out. */
const FORBIDDEN: ReadonlyMap<string, string> = new Map([
  ['basicauthpassword', 'is a password: it is changed for one charge point at a time, with a command'],
  ['authorizationkey', 'is a password: it is changed for one charge point at a time, with a command'],
  [
    'networkconfigurationpriority',
    'decides where the charge point connects to: it is set together with a network profile',
  ],
  ['securityprofile', 'is raised by a job for one charge point at a time: POST …/security-profile'],
])

export function forbiddenReason(name: string): string | undefined {
  return FORBIDDEN.get(name.toLowerCase())
}

interface Asked {
  readonly variables?: readonly VariableName[] | undefined
  readonly keys16?: readonly { readonly key: string }[] | undefined
  readonly rebootPolicy?: string | undefined
  readonly window?: { readonly start: string; readonly end: string; readonly timeZone: string } | undefined
}

export function configurationFaults({ variables = [], keys16 = [], rebootPolicy, window }: Asked): readonly Fault[] {
  const faults: Fault[] = []
  const add = (pointer: string, code: string, message: string): void => void faults.push({ pointer, code, message })
  const seen = new Set<string>()
  const isRepeated = (name: string): boolean => seen.has(name.toLowerCase()) || !seen.add(name.toLowerCase())
  variables.forEach((variable, at) => {
    const pointer = `/variables/${at}/variable/name`
    const why = forbiddenReason(variable.variable.name)
    if (why) add(pointer, 'forbidden_key', why)
    if (isRepeated(nameText(variable))) add(pointer, 'duplicate_key', 'is named twice')
    if (variable.component.connectorId !== undefined && variable.component.evseId === undefined) {
      add(`/variables/${at}/component/connectorId`, 'invalid_value', 'needs its evseId')
    }
  })
  seen.clear()
  keys16.forEach(({ key }, at) => {
    const why = forbiddenReason(key)
    if (why) add(`/keys16/${at}/key`, 'forbidden_key', why)
    if (isRepeated(key)) add(`/keys16/${at}/key`, 'duplicate_key', 'is named twice')
  })
  if (variables.length + keys16.length === 0) add('/variables', 'required', 'or keys16: a configuration sets something')
  if (rebootPolicy === 'window' && !window) add('/window', 'required', 'is what the policy window needs')
  if (rebootPolicy !== 'window' && window) add('/window', 'invalid_value', 'belongs to the policy window')
  if (window && !isTimeZone(window.timeZone)) {
    add('/window/timeZone', 'invalid_value', 'is no time zone, such as Europe/Berlin')
  }
  if (window && window.start === window.end) add('/window/end', 'invalid_window', 'is the start: no hour lies between')
  return faults
}
