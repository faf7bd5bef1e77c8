/** Registering a charge point (API-A5; OCPP-T3, OCPP-T4). */

import type { Fault } from '../../domain/message-log/fault.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { ChargePointChange, Reads, Writes } from '../../domain/ports/storage.ts'
import type { ChargePoint, ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse, refuseFault, refuseFaults } from '../../domain/refuse.ts'
import { LABEL_VALUE, textFault } from '../../domain/typed-text.ts'
import { IDENTITY_LIMIT, identityFault } from '../../ocpp/identity.ts'
import { versionOf } from '../../ocpp/versions.ts'
import { needsPassword, passwordFaults, passwordHashFor, type Random } from './password.ts'

export interface Registration
  extends Pick<
    ChargePoint,
    // With security profile 3 its first certificate names the expected serial number, unless it names the identity.
    'id' | 'accountId' | 'protocols' | 'name' | 'validation' | 'labels' | 'expectedSerialNumber'
  > {
  readonly password?: string | undefined
  /** 1 unless given. */
  readonly securityProfile?: ChargePoint['securityProfile'] | undefined
}

export interface Registered {
  readonly view: ChargePointView
  readonly password?: string | undefined
}

export function registrationFaults(sent: {
  readonly id?: unknown
  readonly protocols?: unknown
  readonly password?: unknown
  readonly securityProfile?: unknown
}): readonly Fault[] {
  return [...identityFaults(sent), ...passwordFaults(sent)]
}

/** Refuses with 400 and its faults, 409 `charge_point_exists` or `charge_point_differs_in_case`. */
export async function registerChargePoint(
  {
    reads,
    writes,
    now,
    random,
    settings,
  }: {
    readonly reads: Pick<Reads, 'findChargePoint'>
    readonly writes: Pick<Writes, 'createChargePoint'>
    readonly now: () => number
    readonly random: Random
    readonly settings: { readonly secretKey: Uint8Array }
  },
  registration: Registration,
): Promise<Registered | Refusal> {
  const faults = registrationFaults(registration)
  if (faults.length > 0) return refuseFaults(faults)
  const { id, accountId, password, securityProfile = 1, protocols, name, validation, labels } = registration
  const { expectedSerialNumber } = registration
  const secret = passwordHashFor(password, securityProfile, settings.secretKey, random)
  const chargePoint: ChargePoint = {
    id,
    accountId,
    securityProfile,
    registrationStatus: 'Accepted',
    createdAt: now(),
    ...(secret && { passwordHash: secret.hash }),
    protocols,
    name,
    validation,
    expectedSerialNumber,
    ...(labels && Object.keys(labels).length > 0 && { labels }),
  }
  if (tooManyLabels({}, labels ?? {})) return refuseTooManyLabels()
  const result = await writes.createChargePoint(chargePoint)
  if (result === 'exists') {
    return refuse(409, 'charge_point_exists', `A charge point ${id} exists already; change it with PATCH.`)
  }
  if (result === 'differsInCase') {
    const detail = `A charge point exists whose identity differs from ${id} only in case; choose another identity.`
    return refuse(409, 'charge_point_differs_in_case', detail)
  }
  // What the log already knows of it under unknown charge points does not make it known: status starts empty.
  const view = (await reads.findChargePoint(id)) ?? { ...chargePoint, status: {}, connectors: [] }
  return { view, ...(secret?.generated !== undefined && { password: secret.generated }) }
}

/** OCPP-T3: what no URL path, header or OCPP version could carry is refused now, not at installation. */
function identityFaults({ id, protocols }: { readonly id?: unknown; readonly protocols?: unknown }): readonly Fault[] {
  if (typeof id !== 'string') return []
  const never = identityFault(id)
  if (never !== undefined) {
    const isLength = id === '' || id.length > IDENTITY_LIMIT
    return [{ pointer: '/id', code: isLength ? 'out_of_range' : 'invalid_identity', message: never }]
  }
  const faults = Array.isArray(protocols) ? protocols.map((one) => versionOf(one)?.abilities.identityFault(id)) : []
  const [message] = faults
  return message === undefined || faults.includes(undefined)
    ? []
    : [{ pointer: '/id', code: 'invalid_identity', message }]
}

/** Changing a charge point's registration (API-A5); approving and rejecting is one such change. */
export interface RequestedChange extends Omit<ChargePointChange, 'passwordHash'> {
  readonly password?: string | null | undefined
}

/** Refuses with 400 `password_rule`, `password_not_used`, `password_required`; 404 when the charge point is gone. */
export async function changeChargePoint(
  {
    writes,
    core,
    settings,
    random,
  }: {
    readonly writes: Pick<Writes, 'updateChargePoint'>
    /** Absent beside the server: what is connected stays connected. */
    readonly core?: Pick<Core, 'disconnect'> | undefined
    readonly settings: { readonly secretKey: Uint8Array }
    readonly random: Random
  },
  before: ChargePoint,
  requested: RequestedChange,
): Promise<ChargePointView | Refusal> {
  const refusal = refusePassword(before, requested)
  if (refusal) return refusal
  if (tooManyLabels(before.labels ?? {}, requested.labels ?? {})) return refuseTooManyLabels()
  const change = changeOf(before, requested, settings.secretKey, random)
  const after = await writes.updateChargePoint(before.accountId, before.id, change)
  if (!after) return noSuch('charge point')
  const disconnect = reasonToDisconnect(before, requested)
  if (disconnect !== undefined) await core?.disconnect(before.id, disconnect)
  return after
}

function refusePassword(before: ChargePoint, requested: RequestedChange): Refusal | undefined {
  const { password } = requested
  const securityProfile = profileAfter(before, requested)
  if (password === null && needsPassword(securityProfile)) {
    return passwordRequired(securityProfile, 'send a new one, or profile 0')
  }
  // A pending or rejected charge point can do nothing: only an accepted one needs a password.
  const accepted = (requested.registrationStatus ?? before.registrationStatus) === 'Accepted'
  if (accepted && password === undefined && needsPassword(securityProfile) && before.passwordHash === undefined) {
    return passwordRequired(securityProfile, 'send the one that the charge point will use, or profile 0')
  }
  const faults = passwordFaults({ password, securityProfile })
  return faults.length > 0 ? refuseFaults(faults) : undefined
}

function passwordRequired(securityProfile: number, remedy: string): Refusal {
  return refuseFault('/password', 'password_required', `is needed by security profile ${securityProfile}: ${remedy}`)
}

function changeOf(
  before: ChargePoint,
  requested: RequestedChange,
  secretKey: Uint8Array,
  random: Random,
): ChargePointChange {
  const { password, ...change } = requested
  const profile = profileAfter(before, requested)
  const secret = typeof password === 'string' ? passwordHashFor(password, profile, secretKey, random) : undefined
  const removed = password === null || profile === 0
  return { ...change, ...(secret ? { passwordHash: secret.hash } : removed && { passwordHash: null }) }
}

function reasonToDisconnect(before: ChargePoint, requested: RequestedChange): string | undefined {
  if (requested.disabled && !before.disabled) return 'disabled'
  if (requested.password !== undefined) return 'password changed'
  return profileAfter(before, requested) === before.securityProfile ? undefined : 'security profile changed'
}

function profileAfter(before: ChargePoint, requested: RequestedChange): ChargePoint['securityProfile'] {
  return requested.securityProfile ?? before.securityProfile
}

/** Labels: the account's own words for a charge point, such as its site (CONSOLE-A5). */
type Label = readonly [key: string, value: string]

export type Labels = Readonly<Record<string, string>>

const KEY = /^[a-z0-9_.-]{1,63}$/
export const MAX_LABELS = 64

export function labelFault(key: string, value: string | null): Pick<Fault, 'code' | 'message'> | undefined {
  if (!KEY.test(key)) {
    return { code: 'invalid_label_key', message: 'has a key other than 1 to 63 of a-z, 0-9, "_", "." and "-"' }
  }
  return value === null ? undefined : textFault(value, LABEL_VALUE)
}

export function tooManyLabels(before: Labels, change: Readonly<Record<string, string | null>>): boolean {
  const merged = { ...before, ...change }
  return Object.values(merged).filter((value) => value !== null).length > MAX_LABELS
}

function refuseTooManyLabels(): Refusal {
  return refuseFault(
    '/labels',
    'too_many_labels',
    `has more than ${MAX_LABELS} labels together with those that are there`,
  )
}

export function readLabel(text: string): Label | undefined {
  const colon = text.indexOf(':')
  const [key, value] = [text.slice(0, colon), text.slice(colon + 1)]
  return colon > 0 && labelFault(key, value) === undefined ? [key, value] : undefined
}

/** Narrowing what is asked of charge points to those with some labels (CONSOLE-C5). */
interface OfChargePoints {
  readonly accountId: string
  readonly chargePointIds?: readonly string[] | undefined
}

export async function withLabels<Filter extends OfChargePoints>(
  reads: Pick<Reads, 'listLabelled'>,
  filter: Filter,
  labels: readonly Label[] | undefined,
): Promise<Filter> {
  if (!labels) return filter
  const labelled = await reads.listLabelled(filter.accountId, labels)
  const among = filter.chargePointIds && new Set(filter.chargePointIds)
  return { ...filter, chargePointIds: among ? labelled.filter((id) => among.has(id)) : labelled }
}
