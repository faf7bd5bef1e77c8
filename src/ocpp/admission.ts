/**
 * Who may connect (OCPP-T5, OCPP-AU1 to OCPP-AU6, OCPP-TL1): decided before the upgrade from the charge point's record,
 * in the order identity, credentials, security profile, sub-protocol. Pure; the core loads the record and stores the
 * result.
 */

import { hash } from 'node:crypto'
import { decide } from '../domain/blocks/decide.ts'
import { createEmission, followingEventId } from '../domain/events/emission.ts'
import { logIdTime } from '../domain/message-log/log-id.ts'
import { parsedJson } from '../domain/parsed-json.ts'
import type { Admission, AdmissionRequest, Protocol, RefusedConnection } from '../domain/ports/core.ts'
import type { ChargePointState } from '../domain/ports/sessions.ts'
import type { ChargePoint, Command, DecidedBy } from '../domain/ports/storage-records.ts'
import type { NewEvent } from '../domain/ports/storage-webhooks.ts'
import type { Changes, Input } from '../domain/sessions/decision.ts'
import type { CertificateCheck, ShownCertificate } from '../domain/x509/client-certificate.ts'
import { inUse, matchPassword, readBasicPassword, stillValid } from './credentials.ts'
import type { Payload } from './translate/payload.ts'
import type { FromChargePoint } from './version.ts'
import { PROTOCOLS, versionOf, versions } from './versions.ts'

export interface AdmissionSettings {
  readonly unknownChargePoints: 'accept' | 'pending' | 'reject'
  readonly secretKey: Uint8Array
  /** OCPP21-A9: for charge points whose registration names none, as `1.6`. */
  readonly versions?: readonly string[] | undefined
  /** OCPP-T5: whose preference decides; by default the client's, as specified. */
  readonly protocolOrder?: 'client' | 'server' | undefined
  /** OCPP-T5, OCPP-T6: accept `OCPP1.6` for `ocpp1.6`, and clients without the header as 1.6. */
  readonly tolerantProtocols?: boolean | undefined
  /** The check of the shown certificate, if any (CERT-C11). */
  readonly certificate?: CertificateCheck | undefined
}

/** 0: nothing proved; 1: Basic over plain text; 2: Basic over TLS; 3: a client certificate. */
type UsedProfile = 0 | 1 | 2 | 3

export type Granted = Extract<Admission, { readonly ok: true }> & {
  /** For an unknown charge point: the registration status to create it with. */
  readonly create?: 'Accepted' | 'Pending' | undefined
  /** To store: of a created charge point, or the higher one that was used (A05.FR.07). */
  readonly securityProfile: ChargePoint['securityProfile']
  /** OCPP-AU6: set when this login decided which of several passwords is valid. */
  readonly passwordHash?: string | undefined
  /** The hash of the presented password (OCPP-AU8). */
  readonly usedPassword?: string | undefined
  readonly certificate?: ShownCertificate | undefined
}

type Refused = Extract<Admission, { readonly ok: false }> & {
  /** Why its certificate was rejected: a security event (CERT-C17). */
  readonly certificateFault?: string | undefined
}

interface Proof {
  readonly ok: true
  readonly usedProfile: UsedProfile
  readonly passwordHash?: string | undefined
  readonly usedPassword?: string | undefined
  readonly certificate?: ShownCertificate | undefined
}

/** Preferred first. */
const SERVER_PROTOCOLS: readonly Protocol[] = [...PROTOCOLS].reverse()

export function decideAdmission(
  request: AdmissionRequest,
  chargePoint: ChargePoint | undefined,
  settings: AdmissionSettings,
): Granted | Refused {
  const known = chargePoint ?? NEWCOMERS[settings.unknownChargePoints]
  if (!known) return refuseUnknown(request, settings.secretKey)
  const proof = prove(request, known, settings)
  if (!proof.ok) return proof
  const refusal = known.disabled ? DISABLED : refuseProfile(known, request)
  if (refusal) return refusal
  const protocol = chooseProtocol(request, known.protocols, settings)
  if (protocol === undefined) return refuseProtocol(request, allowedBy(known.protocols, settings))
  return {
    ok: true,
    protocol,
    chargePointId: request.identity,
    securityProfile: Math.max(known.securityProfile, proof.usedProfile) as Granted['securityProfile'],
    ...(chargePoint === undefined && { create: settings.unknownChargePoints === 'accept' ? 'Accepted' : 'Pending' }),
    ...(proof.passwordHash !== known.passwordHash &&
      proof.passwordHash !== undefined && { passwordHash: proof.passwordHash }),
    usedPassword: proof.usedPassword,
    certificate: proof.certificate,
  }
}

type KnownChargePoint = Pick<
  ChargePoint,
  'securityProfile' | 'registrationStatus' | 'passwordHash' | 'protocols' | 'disabled'
>

/**
 * How unregistered charge points are treated. Development mode admits them without a password. One that awaits
 * approval gets profile 1, so that an approval without a password does not open the identity to everyone (0 is
 * never the default).
 */
const NEWCOMERS: Readonly<Record<AdmissionSettings['unknownChargePoints'], KnownChargePoint | undefined>> = {
  accept: { securityProfile: 0, registrationStatus: 'Accepted' },
  pending: { securityProfile: 1, registrationStatus: 'Pending' },
  reject: undefined,
}

function refusal(status: Refused['status'], reason: string, because: RefusedConnection): Refused {
  return { ok: false, status, reason, because }
}

const UNKNOWN = refusal(
  404,
  'No charge point is registered under this identity: register it first, with exactly this spelling.',
  { reason: 'unknownStation', detail: 'This identity is not registered: register it with exactly this spelling.' },
)

const DISABLED = refusal(403, 'The charge point is disabled.', {
  reason: 'disabled',
  detail: 'The charge point is disabled: enable it to let it connect.',
})

const CREDENTIALS: Refused = {
  ok: false,
  status: 401,
  reason: 'Basic authentication is needed: the identity as the user name, and the password of the charge point.',
}

/** What the request proves. A charge point that awaits approval proves nothing and may only boot (OCPP-AU5). */
function prove(
  request: AdmissionRequest,
  known: KnownChargePoint,
  { secretKey, certificate }: AdmissionSettings,
): Proof | Refused {
  if (known.securityProfile === 0) return { ok: true, usedProfile: 0 }
  if (known.securityProfile === 3 || mayRise(request, known, certificate)) return proveByCertificate(certificate)
  if (known.passwordHash === undefined && known.registrationStatus === 'Pending') return { ok: true, usedProfile: 0 }
  const presented = readBasicPassword(request.authorization, request.identity)
  const match = matchPassword(presented ?? NOTHING, known.passwordHash ?? ABSENT_USER_HASH, secretKey)
  if (presented === undefined || match === undefined) {
    return { ...CREDENTIALS, because: request.authorization === undefined ? NO_PASSWORD : WRONG_PASSWORD }
  }
  const passwordHash = stillValid(known.passwordHash ?? match, match)
  return { ok: true, usedProfile: request.secure ? 2 : 1, passwordHash, usedPassword: inUse(match) }
}

/** CERT-C24: a profile 2 station that shows its certificate in place of the password has moved to profile 3. */
function mayRise(
  { authorization, secure }: AdmissionRequest,
  { securityProfile }: KnownChargePoint,
  certificate: CertificateCheck | undefined,
): boolean {
  return (
    securityProfile === 2 &&
    secure &&
    authorization === undefined &&
    certificate?.ok === true &&
    !certificate.certificate.isExpired
  )
}

function proveByCertificate(certificate: CertificateCheck | undefined): Proof | Refused {
  if (!certificate) return CLIENT_CERTIFICATE
  if (certificate.ok) return { ok: true, usedProfile: 3, certificate: certificate.certificate }
  const { reason } = certificate
  const reported = `The client certificate is refused: ${reason}.`
  const because = { reason: certificate.isExpired ? 'certificateExpired' : 'certificateRefused', detail: reported }
  return { ok: false, status: 403, reason: reported, certificateFault: reason, because }
}

const NO_PASSWORD: RefusedConnection = {
  reason: 'noPassword',
  detail: 'It sent no password: give the charge point the one that it was registered with.',
}
const WRONG_PASSWORD: RefusedConnection = {
  reason: 'wrongPassword',
  detail: 'It sent a wrong password, or another user name than its identity.',
}
const CLIENT_CERTIFICATE = refusal(
  403,
  'The charge point is registered with security profile 3, or has used it before (A05.FR.07), and needs wss:// with its client certificate.',
  { reason: 'noCertificate', detail: 'It showed no client certificate: security profile 3 needs one, over wss://.' },
)

const NOTHING = Buffer.alloc(0)
/** Well-formed, but matches no password. */
const ABSENT_USER_HASH = `v1$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** OCPP-AU4: an unknown identity takes as long as a wrong password. */
function refuseUnknown(request: AdmissionRequest, secretKey: Uint8Array): Refused {
  matchPassword(readBasicPassword(request.authorization, request.identity) ?? NOTHING, ABSENT_USER_HASH, secretKey)
  return UNKNOWN
}

/** A profile once used is stored (A05.FR.07); only a new registration may lower it again. */
function refuseProfile({ securityProfile }: KnownChargePoint, { secure }: AdmissionRequest): Refused | undefined {
  return securityProfile === 2 && !secure ? PLAIN_TEXT : undefined
}

const PLAIN_TEXT = refusal(
  403,
  'The charge point is registered with security profile 2, or has used it before (A05.FR.07), and needs an encrypted connection: connect with wss://, or register a lower profile.',
  {
    reason: 'notEncrypted',
    detail: 'Security profile 2 needs an encrypted connection, and this one was not: connect with wss://.',
  },
)

/** OCPP-T5: the first in the client's order that server, record and identity allow. */
export function chooseProtocol(
  { offered, identity }: Pick<AdmissionRequest, 'offered' | 'identity'>,
  pinned: readonly string[] | undefined,
  settings: Pick<AdmissionSettings, 'versions' | 'protocolOrder' | 'tolerantProtocols'>,
): Protocol | undefined {
  const tolerant = settings.tolerantProtocols === true
  const spelled = tolerant ? offered.map((name) => name.toLowerCase()) : offered
  const desired = tolerant && offered.length === 0 ? ['ocpp1.6'] : spelled
  const allowed = allowedBy(pinned, settings).filter((protocol) => identityFaultIn(protocol, identity) === undefined)
  if (settings.protocolOrder === 'server') return allowed.find((protocol) => desired.includes(protocol))
  for (const name of desired) {
    const protocol = allowed.find((candidate) => candidate === name)
    if (protocol) return protocol
  }
  return undefined
}

function allowedBy(
  pinned: readonly string[] | undefined,
  { versions }: Pick<AdmissionSettings, 'versions'>,
): readonly Protocol[] {
  const names = pinned ?? versions?.map((version) => `ocpp${version}`)
  return SERVER_PROTOCOLS.filter((protocol) => names?.includes(protocol) ?? true)
}

function refuseProtocol({ offered, identity }: AdmissionRequest, allowed: readonly Protocol[]): Refused {
  const names = allowed.join(' or ')
  const unfit = offered.map((name) => identityFaultIn(name, identity)).find((fault) => fault !== undefined)
  const reason =
    offered.length === 0
      ? `The header Sec-WebSocket-Protocol is missing: offer ${names}.`
      : unfit !== undefined
        ? `The identity ${unfit}.`
        : `None of the offered sub-protocols is spoken here: offer ${names}.`
  const reported = offered.length === 0 ? 'Offered no sub-protocol' : `Offered only ${shown(offered)}`
  return { ok: false, status: 400, reason, because: { reason: 'subprotocol', detail: `${reported}: offer ${names}.` } }
}

function identityFaultIn(protocol: string, identity: string): string | undefined {
  return versionOf(protocol)?.abilities.identityFault(identity)
}

/** The client chose these texts. */
function shown(offered: readonly string[]): string {
  const text = offered.slice(0, 10).join(', ')
  return text.length <= 100 ? text : `${text.slice(0, 100)}…`
}

/** Decides a row of the log again, from its charge point's documents before it (STORE-J6). Pure. */
export type RowDecided = Pick<Command, 'id' | 'method' | 'messageId' | 'protocol' | 'request'>

/** For a row stored as received and valid: its changes, as `followsFromRow` says, and its events. */
export function decideAgain(
  state: ChargePointState,
  { id, method, messageId, protocol, request }: RowDecided,
  { receivedAt, settings }: Pick<DecidedBy, 'receivedAt' | 'settings'>,
): Changes & { readonly happened: readonly NewEvent[] } {
  const handler = versions[protocol as keyof typeof versions].fromChargePoint[method]
  if (!handler) throw new Error(`The log holds a ${method} that this version does not know.`)
  const input = inputOf(handler, parsedJson(request) as Payload, { messageId, payloadText: request, receivedAt })
  const now = logIdTime(id)
  const { changes } = decide(state, input, { ...NOTHING_ELSE, now, commandId: id, settings: settings.sessions })
  const emission = createEmission(settings, followingEventId)
  const emitted = changes.sessions?.map((after) => emission.ofSession(state.sessions.get(after.id), after, now, id))
  const said = changes.events?.map((event) => emission.ofDecision(event, state, now, id)) ?? []
  const ofSessions = emitted?.flatMap(({ event, suspect }) => [event, suspect]) ?? []
  return {
    ...changes,
    sessions: emitted?.map(({ session }) => session),
    happened: [...ofSessions, ...said].filter((event) => event !== undefined),
  }
}

/** Not needed for what follows. */
const NOTHING_ELSE = {
  nextTransactionId: () => '',
  newSessionId: () => '',
  idTokens: new Map(),
  unknownIdTokens: 'reject',
} as const

// The input of a valid call, live or read again from the log (HOOK-B3).

/** 96 bits: no accidental collisions within a charge point. */
const DIGEST_DIGITS = 24

export function inputOf(
  handler: FromChargePoint,
  payload: Payload,
  sent: { readonly messageId: string; readonly payloadText: string; readonly receivedAt: number },
): Input {
  return handler.input(payload, {
    receivedAt: sent.receivedAt,
    raw: sent.payloadText,
    digest: (facts = sent.payloadText) => hash('sha256', facts).slice(0, DIGEST_DIGITS),
    messageId: sent.messageId,
  })
}
