/**
 * OCPP-LG5: removes secrets from payloads before they are stored. One scan of the text decides whether it is walked.
 */
import { CUSTOMER_REQUESTS_FROM } from '../domain/customer-information/records.ts'
import { namesSecret } from '../domain/device-model/variable-names.ts'
import { isObject, number } from './translate/payload.ts'

/**
 * Every text that `walk` would mask contains one of these: escapes may hide anything; addresses with a
 * password have an `@`, and those of our own files (FIRMWARE-F1) their folder.
 */
const SUSPICIOUS = new RegExp(
  [
    /passw|passphrase|secret|psk|keycode|writeonly|private key|"vpn"|"apn"|"data"|\/files\/|@|\\u/,
    /"(?:key|name|instance)"\s*:\s*"[^"]*(?:key|pin|token)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

/** Nearly all of the traffic. If valid, secrets occur only in a text, in vendor data or beside the word KeyCode. */
export const PLAIN_ACTIONS: ReadonlySet<string> = new Set([
  'Heartbeat',
  'StatusNotification',
  'MeterValues',
  'TransactionEvent',
  'StartTransaction',
  'StopTransaction',
])
const SECRETS_OF_PLAIN = ['@', '\\', '/files/', 'PRIVATE KEY', 'customData', 'KeyCode']

/** Members that hold a secret themselves (SetNetworkProfile). */
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['apnPassword', 'simPin', 'password', 'basicAuthPassword'])

/** Members with the value of the variable or key that their object is about. */
const VALUE_MEMBERS: readonly string[] = ['value', 'attributeValue', 'actualValue', 'variableAttribute']

/** Deeper than real payloads; what is below is masked rather than walked, which bounds the recursion. */
const DEPTH_LIMIT = 64

/**
 * Secrets replaced by `***`; the very same text when there are none. Never throws.
 * @param valid the action, of a request that satisfies its schema
 */
export function mask(payloadText: string, payload: unknown, valid = ''): string {
  const isPlain = PLAIN_ACTIONS.has(valid) && !SECRETS_OF_PLAIN.some((part) => payloadText.includes(part))
  if (isPlain || !SUSPICIOUS.test(payloadText)) return payloadText
  const masked = walk(payload, 0)
  return masked === payload ? payloadText : JSON.stringify(masked)
}

/** For a part of a payload that is stored by itself. */
export function maskPart(part: unknown): unknown {
  return walk(part, 0)
}

/** For a frame that is no message: any of its values may be secret. */
export function maskUnreadable(text: string): string {
  return SUSPICIOUS.test(text) ? maskValues(text) : text
}

function walk(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return maskText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_LIMIT) return MASK
  if (Array.isArray(value)) {
    const items: unknown[] = value.map((item: unknown) => walk(item, depth + 1))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  const secrets = secretMembers(value as Readonly<Record<string, unknown>>)
  const before = Object.entries(value)
  const after = before.map(([name, member]): [string, unknown] => [
    name,
    secrets.has(name) ? hide(member) : walk(member, depth + 1),
  ])
  return after.every(([, member], index) => member === before[index]?.[1]) ? value : Object.fromEntries(after)
}

function secretMembers(holder: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const secrets = new Set(Object.keys(holder).filter((name) => SECRET_MEMBERS.has(name)))
  if (isWord(holder.type, 'keycode')) secrets.add('idToken')
  if (isOfCustomer(holder)) secrets.add('data')
  if (isWord(holder.mutability, 'writeonly')) secrets.add('value')
  if (typeof holder.server === 'string' && 'user' in holder) secrets.add('key')
  if (isOfSecret(holder)) for (const member of VALUE_MEMBERS) secrets.add(member)
  return secrets
}

function isWord(value: unknown, lowerCase: string): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === lowerCase
}

/** DRIVER-I3: a page that answers our request is delivered once. */
function isOfCustomer({ requestId, generatedAt, data }: Readonly<Record<string, unknown>>): boolean {
  return data !== undefined && generatedAt !== undefined && (number(requestId) ?? 0) >= CUSTOMER_REQUESTS_FROM
}

/** `{key: 'AuthorizationKey', value}` (1.6) or `{variable: {name: 'BasicAuthPassword'}, attributeValue}` (2.0.1). */
function isOfSecret({ key, variable, component }: Readonly<Record<string, unknown>>): boolean {
  const instance = isObject(component) && component.instance
  const names = isObject(variable) ? [variable.name, variable.instance, instance] : [key]
  return names.some((name) => typeof name === 'string' && namesSecret(name))
}

/** Lists keep their length for the log. */
function hide(member: unknown): unknown {
  if (!Array.isArray(member)) return member === undefined || member === null ? member : MASK
  return member.map((item: unknown) => (isObject(item) && 'value' in item ? { ...item, value: MASK } : MASK))
}

/** OCPP-LG5 within text: private keys, addresses of our files, passwords in `ftp://station:password@logs.example/`. */
const MASK = '***'

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g

/**
 * Digits before a slash are a port and what follows is a path; any other slash is an unencoded one in the password.
 * A search ends at the next `://`, which keeps it linear.
 */
const ADDRESS_PASSWORD = /(:\/\/(?!\[)[^\s/?#:@]*:)(?:[^\s/?#]*@|(?!\d*[/?#])(?:(?!:\/\/)\S)*@)/g

/** FIRMWARE-F1: the address of a file is the permission to read or write it. */
const FILE_TOKEN = /(\/files\/)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g

const VALUE =
  /("(?:value|attributeValue|actualValue|idToken|password|\w+Password|simPin)"\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|[^\s",}\]]+)/gi

/** Masks secrets as `***`; returns the very same text when it has none. */
export function maskText(text: string): string {
  const unsigned = text.includes('/files/') ? text.replace(FILE_TOKEN, `$1${MASK}`) : text
  const keyless = unsigned.includes('PRIVATE KEY') ? unsigned.replace(PRIVATE_KEY, MASK) : unsigned
  return keyless.includes('@') ? keyless.replace(ADDRESS_PASSWORD, `$1${MASK}@`) : keyless
}

/** For text that is no JSON: every possible secret is masked. */
function maskValues(text: string): string {
  return maskText(text).replace(VALUE, `$1"${MASK}"`)
}
