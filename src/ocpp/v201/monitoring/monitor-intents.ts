/** Desired monitors on the wire of 2.0.1 (N04 sets them, N06 clears them). */
import type { DesiredMonitor, IntentAnswer } from '../../../domain/ports/blocks.ts'
import type { OutgoingCall, Payload } from '../../payload.ts'
import type { IntentOnWire, IntentToSend } from '../../translate/blocks-on-wire.ts'
import { carrying } from '../../translate/chunks.ts'
import { integer, isObject, list, reasonOf, text } from '../../translate/payload.ts'
import { readName, wireName } from '../variables.ts'

export const monitor: IntentOnWire = {
  set: (intents, { setMonitors, setMonitorBytes, clearMonitors }) => [
    ...carrying(
      intents.filter(({ desired }) => !monitorIn(desired).clear),
      {
        method: 'SetVariableMonitoring',
        member: 'setMonitoringData',
        items: setMonitors,
        bytes: setMonitorBytes,
      },
      settingOf,
    ),
    ...carrying(
      intents.filter(({ desired }) => monitorIn(desired).clear),
      { method: 'ClearVariableMonitoring', member: 'id', items: clearMonitors },
      ({ monitorId }) => monitorId,
    ),
  ],
  readAnswer: (keys, call, response) =>
    call.method === 'ClearVariableMonitoring' ? cleared(keys, call, response) : set(keys, call, response),
}

/** With the number of the one that it replaces (N04.FR.11). */
function settingOf({ desired, monitorId }: IntentToSend): Payload {
  const { component, variable, type, value, severity, transaction } = monitorIn(desired)
  return {
    id: monitorId,
    transaction,
    value,
    type,
    severity,
    ...wireName({ component, variable }),
  }
}

/** Results come in any order; unasked ones are ignored, missing ones count as unanswered. */
function set(
  keys: readonly string[],
  { request }: OutgoingCall,
  response: Payload,
): Readonly<Record<string, IntentAnswer>> {
  const asked = list(request.setMonitoringData).filter(isObject)
  const named = new Map(asked.flatMap((entry, at) => (keys[at] === undefined ? [] : [[placeText(entry), keys[at]]])))
  const answers: Record<string, IntentAnswer> = {}
  for (const result of list(response.setMonitoringResult).filter(isObject)) {
    const key = named.get(placeText(result))
    const answer = key === undefined ? undefined : setAnswer(result)
    if (key !== undefined && answer) answers[key] = answer
  }
  return answers
}

function setAnswer(result: Payload): IntentAnswer | undefined {
  const status = text(result.status)
  const reason = reasonOf(result.status, result.statusInfo)
  const monitorId = integer(result.id)
  switch (status?.toLowerCase()) {
    case undefined:
      return undefined
    case 'accepted':
      return { outcome: 'accepted', monitorId }
    case 'unknowncomponent':
    case 'unknownvariable':
    case 'unsupportedmonitortype':
      return { outcome: 'unsupported', reason }
    case 'duplicate':
      return { outcome: 'rejected', reason, isDuplicate: true }
    default:
      return { outcome: 'rejected', reason }
  }
}

function cleared(
  keys: readonly string[],
  { request }: OutgoingCall,
  response: Payload,
): Readonly<Record<string, IntentAnswer>> {
  const named = new Map(list(request.id).map((id, at) => [integer(id), keys[at]]))
  const answers: Record<string, IntentAnswer> = {}
  for (const result of list(response.clearMonitoringResult).filter(isObject)) {
    const key = named.get(integer(result.id))
    const status = text(result.status)?.toLowerCase()
    if (key === undefined || status === undefined) continue
    const isGone = status === 'accepted' || status === 'notfound'
    answers[key] = isGone
      ? { outcome: 'accepted' }
      : { outcome: 'rejected', reason: reasonOf(result.status, result.statusInfo) }
  }
  return answers
}

/** Results name their monitors like the request; names compare case-insensitively. */
function placeText(entry: Payload): string {
  const name = readName(entry, 'Actual')
  return JSON.stringify([name && wireName(name), text(entry.type), integer(entry.severity)]).toLowerCase()
}

function monitorIn(desired: unknown): DesiredMonitor {
  return desired as DesiredMonitor
}
