/** What 2.1 asks of two orders beside their schemas: TriggerMessage and SetDERControl. */
import { type OutgoingCall, object, type Payload, text } from '../translate/payload.ts'
import type { ListedOption } from '../version.ts'

/** OCPP21-B12, F06.FR.20 */
export function listedOption({ method, request }: OutgoingCall): ListedOption | undefined {
  if (method !== 'TriggerMessage' || request.requestedMessage !== 'CustomTrigger') return undefined
  return {
    pointer: '/customTrigger',
    clause: '2.1 F06.FR.20',
    value: text(request.customTrigger) ?? '',
    variable: {
      component: { name: 'CustomizationCtrlr' },
      variable: { name: 'CustomTriggers' },
      attribute: 'Actual',
    },
  }
}

/** Each with the types of control that it belongs to; every other type has a curve (R04.FR.16). */
const MEMBERS: Readonly<Record<string, string>> = {
  FixedPFAbsorb: 'fixedPFAbsorb',
  FixedPFInject: 'fixedPFInject',
  FixedVar: 'fixedVar',
  LimitMaxDischarge: 'limitMaxDischarge',
  FreqDroop: 'freqDroop',
  EnterService: 'enterService',
  Gradients: 'gradient',
}
const CONTROLS = [...Object.values(MEMBERS), 'curve']
const ALWAYS_DEFAULT: readonly unknown[] = ['EnterService', 'Gradients']

/** OCPP21-D3: the central system should not send these, and a station rejects them (R04.FR.13, .15, .17). */
export function warnings({ method, request }: OutgoingCall): readonly string[] {
  if (method !== 'SetDERControl') return []
  return [...ofControl(request)].map((warning) => `${warning}; a charge point rejects it.`)
}

function* ofControl(request: Payload): Generator<string> {
  const { isDefault, controlType } = request
  const given = CONTROLS.filter((member) => request[member] !== undefined)
  if (isDefault === true) {
    for (const member of given) {
      for (const time of ['startTime', 'duration']) {
        if (object(request[member])[time] === undefined) continue
        yield `/request/${member}/${time} is not for a default control (R04.FR.12)`
      }
    }
  } else if (ALWAYS_DEFAULT.includes(controlType)) {
    yield `/request/isDefault must be true for ${controlType} (R04.FR.14)`
  }
  const fitting = MEMBERS[String(controlType)] ?? 'curve'
  if (!given.includes(fitting)) yield `/request/${fitting} is missing, which ${controlType} needs (R04.FR.16)`
  for (const member of given) {
    if (member !== fitting) yield `/request/${member} is not for ${controlType}, which has ${fitting} (R04.FR.16)`
  }
}
