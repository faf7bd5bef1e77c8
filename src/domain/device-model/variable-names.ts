/** How variables are called: in the API's keys, and as the key under which they are kept (DEVICE-A1). */
import type { ComponentName, VariableName } from './records.ts'

/** `Component[instance].Variable[instance]`, `/evse/connector` in front; attributes but `Actual` behind `#`. */
export function nameText({ component, variable, attribute }: VariableName): string {
  const behind = attribute.toLowerCase() === 'actual' ? '' : `#${attribute}`
  return `${placeText(component)}${instanced(component)}.${instanced(variable)}${behind}`
}

export function variableKey(name: VariableName): string {
  return nameText(name).toLowerCase()
}

function placeText({ evseId, connectorId }: ComponentName): string {
  if (evseId === undefined) return ''
  return connectorId === undefined ? `/${evseId}/` : `/${evseId}/${connectorId}/`
}

function instanced({ name, instance }: { readonly name: string; readonly instance?: string | undefined }): string {
  return instance === undefined ? name : `${name}[${instance}]`
}
