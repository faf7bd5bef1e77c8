import type { FoundValue, IntentAnswer, MessageLimits, VariableName } from '../../domain/ports/blocks.ts'
import type { OutgoingCall, Payload } from '../payload.ts'
import type { IntentOnWire, IntentsOnWire, IntentToSend } from '../translate/blocks-on-wire.ts'
import { carrying } from '../translate/chunks.ts'
import { reasonOf, text } from '../translate/payload.ts'
import { displayMessage } from './driver/display-messages.ts'
import { monitor } from './monitoring/monitor-intents.ts'
import { readResults, statusOf, valueText, wireName } from './variables.ts'

/** B05: values are set in chunks without duplicate variables; B06 reads them back. */
const variable: IntentOnWire = {
  set: (intents, { setItems, setBytes }) =>
    carrying(
      intents,
      { method: 'SetVariables', member: 'setVariableData', items: setItems, bytes: setBytes },
      ({ variable: name, desired }) =>
        name && {
          ...attributeOf(name),
          attributeValue: String(desired),
          ...wireName(name),
        },
    ),
  readAnswer: (keys, call, response) => {
    const results = readResults(response.setVariableResult)
    const named = byPlace(call, 'setVariableData', keys)
    return Object.fromEntries(
      results.flatMap(({ name, result }): [string, IntentAnswer][] => {
        const key = named.get(placeText(name))
        const answer = key === undefined ? undefined : setAnswer(result)
        return key !== undefined && answer ? [[key, answer]] : []
      }),
    )
  },
  readBack: {
    calls: (intents: readonly IntentToSend[], { getItems, getBytes }: MessageLimits) =>
      carrying(
        intents,
        { method: 'GetVariables', member: 'getVariableData', items: getItems, bytes: getBytes },
        ({ variable: name }) => name && { ...attributeOf(name), ...wireName(name) },
      ),
    found: (keys, call, response) => {
      const named = byPlace(call, 'getVariableData', keys)
      return Object.fromEntries(
        readResults(response.getVariableResult).flatMap(({ name, result }): [string, FoundValue][] => {
          const key = named.get(placeText(name))
          if (key === undefined) return []
          const isRead = statusOf(result) === 'accepted'
          return [[key, isRead ? { value: valueText(result.attributeValue) ?? '' } : 'unreadable']]
        }),
      )
    },
  },
}

export const intents: IntentsOnWire = { variable, monitor, displayMessage }

function attributeOf({ attribute }: VariableName): Payload {
  return attribute === 'Actual' ? {} : { attributeType: attribute }
}

const ACCEPTED: IntentAnswer = { outcome: 'accepted' }

function setAnswer(result: Payload): IntentAnswer | undefined {
  const status = text(result.attributeStatus)
  const reason = reasonOf(status, result.attributeStatusInfo)
  switch (status?.toLowerCase()) {
    case undefined:
      return undefined
    case 'accepted':
      return ACCEPTED
    case 'rebootrequired':
      return { outcome: 'rebootRequired' }
    case 'unknowncomponent':
    case 'unknownvariable':
    case 'notsupportedattributetype':
      return { outcome: 'unsupported', reason }
    default:
      return { outcome: 'rejected', reason }
  }
}

/** The call's entries are in the order of their keys. */
function byPlace({ request }: OutgoingCall, member: string, keys: readonly string[]): ReadonlyMap<string, string> {
  const entries = readResults(request[member])
  return new Map(entries.flatMap(({ name }, at) => (keys[at] === undefined ? [] : [[placeText(name), keys[at]]])))
}

function placeText(name: VariableName): string {
  return JSON.stringify(wireName(name)).toLowerCase() + name.attribute.toLowerCase()
}
