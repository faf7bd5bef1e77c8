import { isIdentityOf201 } from '../identity.ts'
import type { OutgoingCall, Payload } from '../payload.ts'
import { assembleVersion } from '../translate/assemble-version.ts'
import { isObject, list, object, text } from '../translate/payload.ts'
import type { OcppVersion } from '../version.ts'
import { charging } from './charging/charging.ts'
import { commands } from './commands.ts'
import { deviceModel } from './device-model.ts'
import { costs } from './driver/costs.ts'
import { askForCustomer } from './driver/customer-information.ts'
import { localLists } from './driver/local-lists.ts'
import { reservations } from './driver/reservations.ts'
import { inbound } from './inbound.ts'
import { intents } from './intents.ts'
import { maintenance } from './maintenance.ts'
import { outbound } from './outbound.ts'
import { certificates } from './security/certificates.ts'
import { raiseProfile } from './security/security-profile.ts'

/** OCPP 2.0.1 edition 3. */
export const ocpp201 = assembleVersion('ocpp2.0.1', inbound, outbound, {
  abilities: {
    setting: 'variable',
    outlet: 'evseId',
    startsWithOwnToken: true,
    identityFault: (identity) =>
      isIdentityOf201(identity) ? undefined : 'must fit OCPP 2.0.1: at most 48 letters, digits and * - _ = + | @ .',
    serverRoot: 'CSMSRootCertificate',
    rootQueries: [{}],
  },
  ...commands,
  ...maintenance,
  ...certificates,
  newPasswords,
  passwordStatus,
  setPassword,
  raiseProfile,
  intents,
  deviceModel,
  charging,
  localLists,
  reservations,
  costs,
  askForCustomer,
})

/** OCPP-AU6, A01: by SetVariables of SecurityCtrlr.BasicAuthPassword. */
function newPasswords({ method, request }: OutgoingCall): ReturnType<OcppVersion['newPasswords']> {
  const entries = method === 'SetVariables' ? list(request.setVariableData) : []
  return entries.flatMap((entry, at) => {
    if (!isObject(entry) || !isPassword(entry) || typeof entry.attributeValue !== 'string') return []
    return [{ pointer: `/setVariableData/${at}/attributeValue`, password: entry.attributeValue }]
  })
}

function setPassword(attributeValue: string): OutgoingCall {
  const named = { component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } }
  return { method: 'SetVariables', request: { setVariableData: [{ ...named, attributeValue }] } }
}

function passwordStatus(call: OutgoingCall, response: Payload): string | undefined {
  if (newPasswords(call).length === 0) return undefined
  return text(list(response.setVariableResult).filter(isObject).findLast(isPassword)?.attributeStatus)
}

function isPassword({ component, variable, attributeType }: Payload): boolean {
  return (
    named(component, 'securityctrlr') &&
    named(variable, 'basicauthpassword') &&
    (text(attributeType) ?? 'Actual').toLowerCase() === 'actual'
  )
}

function named(value: unknown, lowerCase: string): boolean {
  return text(object(value).name)?.toLowerCase() === lowerCase
}
