/** Which values are never kept in clear (DEVICE-A7). */
import type { ReportedValue } from './records.ts'

type NamedValue = Pick<ReportedValue, 'component' | 'variable' | 'value' | 'mutability'>

export const MASKED = '***'

const SECRET_WORDS: ReadonlySet<string> = new Set(['key', 'password', 'secret', 'pin', 'token'])
/** Whatever stands around them. */
const SECRET_PARTS = /passw|passphrase|secret|authorizationkey|privatekey|apikey/i
/** What others verify a signature with is for everybody. */
const PUBLIC = /public_?key/i

export function namesSecret(name: string): boolean {
  if (PUBLIC.test(name)) return false
  return SECRET_PARTS.test(name) || wordsOf(name).some((word) => SECRET_WORDS.has(word))
}

/** With the value hidden where it may not be kept. */
export function withoutSecret<Named extends NamedValue>(reported: Named): Named {
  if (reported.value === undefined || !isSecretVariable(reported)) return reported
  return { ...reported, value: MASKED }
}

/** Nobody may see what is set there. */
export function isSecretVariable({ variable, component, mutability }: NamedValue): boolean {
  const isWriteOnly = mutability?.toLowerCase() === 'writeonly'
  return (
    isWriteOnly ||
    namesSecret(variable.name) ||
    namesSecret(variable.instance ?? '') ||
    namesSecret(component.instance ?? '')
  )
}

/** `wifi_PSKPin2` is `wifi`, `psk`, `pin`, `2`. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return spaced.toLowerCase().match(/[a-z]+/g) ?? []
}
