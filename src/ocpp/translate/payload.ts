/** Reads payloads of unknown shape: each result is a value or undefined. */
import { isoTime } from '../../domain/iso-time.ts'
import type { Capability } from '../../domain/ports/capability.ts'

const EMPTY: Payload = Object.freeze({})

export function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function object(value: unknown): Payload {
  return isObject(value) ? value : EMPTY
}

/** A single object becomes a list of one, anything else an empty list. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : isObject(value) ? [value] : []
}

/** Trimmed text without the NULs of C strings; numbers as text; undefined for empty text and everything else. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (typeof value !== 'string') return undefined
  const trimmed = withoutNul(value).trim()
  return trimmed === '' ? undefined : trimmed
}

/** A token without the spaces and control bytes that a reader or a vendor puts around it (TOKEN-Z1). */
export function tokenText(value: unknown): string {
  return text(typeof value === 'string' ? value.replace(CONTROLS_AROUND, '') : value) ?? ''
}

const CONTROLS_AROUND = /^[\p{Cc}\s]+|[\p{Cc}\s]+$/gu

/** Reads one of these words, in any case. */
export function oneOf<Word extends string>(words: readonly Word[]): (value: unknown) => Word | undefined {
  const known = new Map(words.map((word) => [word.toLowerCase(), word]))
  return (value) => known.get(text(value)?.toLowerCase() ?? '')
}

export function reasonOf(status: unknown, statusInfo: unknown): string {
  const { reasonCode, additionalInfo } = object(statusInfo)
  return [status, reasonCode, additionalInfo].map(text).filter(Boolean).join(': ').slice(0, MAX_REASON_LENGTH)
}

const MAX_REASON_LENGTH = 500

/** C strings include their terminating NUL. */
export function withoutNul(value: string): string {
  return value.includes('\u0000') ? value.replaceAll('\u0000', '') : value
}

/** A finite number, also from text. */
export function number(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const said = typeof value === 'string' ? withoutNul(value).trim() : ''
  if (said === '') return undefined
  const parsed = Number(said)
  return Number.isFinite(parsed) ? parsed : undefined
}

/** A whole number that a double holds exactly, also from text. */
export function integer(value: unknown): number | undefined {
  const parsed = number(value)
  return Number.isSafeInteger(parsed) ? parsed : undefined
}

/** More than any station has: bounds the connectors of stations that invent numbers. */
const PLACE_LIMIT = 999

/** The number of a connector or an EVSE; 0 is the station. Undefined: not valid. */
export function placeNumber(value: unknown): number | undefined {
  const number = integer(value)
  return number !== undefined && number >= 0 && number <= PLACE_LIMIT ? number : undefined
}

/** ENERGY-N1: a register value beyond this (a million GWh) is a fault. */
const REGISTER_LIMIT_WH = 1e12

/** @returns integer milli-watt-hours; undefined: not plausible */
export function registerMilliWh(wattHours: unknown): number | undefined {
  const value = number(wattHours)
  return value === undefined || Math.abs(value) > REGISTER_LIMIT_WH ? undefined : Math.round(value * 1000)
}

/** RFC 3339 writes years with four digits; Date spells others with a sign and six. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Sent times are UTC with milliseconds and `Z`. Undefined: outside RFC 3339. */
export function sentTime(ms: number | undefined): string | undefined {
  return ms !== undefined && canBeWritten(ms) ? isoTime(ms) : undefined
}

export function canBeWritten(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS
}

/** OCPP-DR3: exactly the digits that crossed the wire, also above 2^53, read from `raw`, the payload's text. */
export function transactionIdText(value: unknown, raw: string | undefined): string | undefined {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return String(value)
  return exactDigits(value, raw ?? '') ?? BigInt(value).toString()
}

/** The last member of that name with that value is the one JSON.parse kept. */
function exactDigits(value: number, raw: string): string | undefined {
  let digits: string | undefined
  for (const match of raw.matchAll(/"transactionId"\s*:\s*(-?\d+)(?![\d.eE])/g)) {
    if (Number(match[1]) === value) digits = match[1]
  }
  return digits
}

/** 1.6 stations send 0, -1 or nothing for an unknown transaction (SESSION-A9, SESSION-A13). */
export function knownTransaction(transactionId: string | undefined): string | undefined {
  return transactionId === '0' || transactionId === '-1' ? undefined : transactionId
}

/**
 * OIDC-C11: configuration keys and variables that decide where a charge point connects and how it authenticates:
 * the standard's (AuthorizationKey, SecurityProfile, BasicAuthPassword, Identity, NetworkConfigurationPriority, …), and
 * vendors' own. A false positive denies an application a setting; with a false negative an
 * application could take over the station.
 */
const CONNECTION_NAME =
  /authori[sz]ationkey|basicauth|passw|pwd|passphrase|secret|credential|privatekey|presharedkey|psk|securityprofile|identity|chargeboxid|chargepointid|stationid|network|apn|vpn|wifi|ssid|ethernet|gateway|proxy|dns|host|server|url|uri|endpoint|addr|backend|csms|centralsystem/

export function concernsConnection(name: string): boolean {
  return CONNECTION_NAME.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

/** OIDC-C11: a profile that outlives its transaction would limit the charge point or other drivers. */
export function startBeyond({ chargingProfile: profile }: Payload): Capability | undefined {
  if (profile === undefined) return undefined
  const isOwn =
    isObject(profile) && profile.chargingProfilePurpose === 'TxProfile' && profile.transactionId === undefined
  return isOwn ? undefined : 'limits'
}

export type Payload = Readonly<Record<string, unknown>>

export interface OutgoingCall {
  readonly method: string
  readonly request: Payload
}
