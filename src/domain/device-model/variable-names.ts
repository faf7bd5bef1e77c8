/** How variables are called: in the API's keys, and as the key under which they are kept (DEVICE-A1). */
import type { ComponentName, ReportedValue, VariableName } from './records.ts'

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

/** Which values are never kept in clear (DEVICE-A7). */
type NamedValue = Pick<ReportedValue, 'component' | 'variable' | 'value' | 'mutability' | 'dataType'>

export const MASKED = '***'

const SECRET_WORDS: ReadonlySet<string> = new Set(['key', 'password', 'secret', 'pin', 'token'])
const SECRET_PARTS = /passw|passphrase|secret|psk|(?:authorization|private|api|shared|vpn)key/i
/** What a signature is verified with is public. */
const PUBLIC = /public_?key/i
/** The last word of a name says what its value is: `PinCodeLength` is a length. A number behind it belongs to it. */
const PROPERTIES: ReadonlySet<string> = new Set(
  [
    'age attempts available characters count delay digits duration enable enabled expiry format frequency interval',
    'length lifetime limit max maximum min minimum mode period policy required retries rotation seconds size supported',
    'timeout type visible',
  ].flatMap((line) => line.split(' ')),
)
/** Of types that no secret has. */
const OPEN_TYPES: ReadonlySet<string> = new Set(['boolean', 'datetime', 'optionlist', 'memberlist', 'sequencelist'])

export function namesSecret(name: string): boolean {
  if (PUBLIC.test(name)) return false
  const words = wordsOf(name)
  if (PROPERTIES.has(words.at(-1) ?? '')) return false
  return SECRET_PARTS.test(name) || words.some((word) => SECRET_WORDS.has(word))
}

export function withoutSecret<Named extends NamedValue>(reported: Named): Named {
  if (reported.value === undefined || !isSecretVariable(reported)) return reported
  return { ...reported, value: MASKED }
}

export function isSecretVariable({ variable, component, mutability, dataType }: NamedValue): boolean {
  if (mutability?.toLowerCase() === 'writeonly') return true
  if (dataType !== undefined && OPEN_TYPES.has(dataType.toLowerCase())) return false
  return namesSecret(variable.name) || namesSecret(variable.instance ?? '') || namesSecret(component.instance ?? '')
}

/** `wifi_PSKPin2` is `wifi`, `psk`, `pin`, `2`. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return spaced.toLowerCase().match(/[a-z]+/g) ?? []
}
