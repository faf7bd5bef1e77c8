/**
 * The core as the other rooms see it; it may run in a worker thread (core/thread/core-client.ts). Nothing leaves before
 * its commit. An order resolves with its result or a `Refusal`; it rejects only where the core cannot work (its thread
 * has ended, the database cannot be used).
 */

import type { StationView } from '../limit-groups/view.ts'
import type { OCPP_VERSIONS } from '../ocpp-versions.ts'
import type { PartnerOfSession, PartnerQuestion, PartnerVerdict } from '../partners/records.ts'
import type { VatNumberCheck, VatNumberQuestion } from '../payments/records.ts'
import type { BlockOrder, ConfigurationOrder, DesiredName, ReportOrder, ReportOrdered } from './blocks.ts'
import type { Capability } from './capability.ts'
import type { ChargeLimits } from './id-tokens.ts'
import type { Outcome, Session } from './sessions.ts'
import type { Command, Refusal } from './storage-records.ts'

/** The sub-protocol of a connection: the OCPP version that both sides speak. */
export type Protocol = `ocpp${(typeof OCPP_VERSIONS)[number]}`

/** What an upgrade request claims; checked before the handshake (OCPP-DR2). */
export interface AdmissionRequest {
  /** Decoded identity (ocpp/identity.ts). */
  readonly identity: string
  /** Sub-protocols in the client's order; empty when the header is absent. */
  readonly offered: readonly string[]
  /** Bytes of the Authorization header, absent when there was none. */
  readonly authorization?: string | undefined
  readonly remoteAddress: string
  /** The connection is encrypted, by us or by a trusted proxy. */
  readonly secure: boolean
  /** What it showed in the handshake of TLS, its own certificate first: PEM, or DER in Base64 (CERT-C11, CERT-C16). */
  readonly certificates?: readonly string[] | undefined
}

/** The certificate with which a charge point logged in. */
export interface ShownAtLogin {
  readonly commonName?: string | undefined
  readonly notAfter: number
  /** CERT-C15 */
  readonly isExpired?: true | undefined
}

/** Whether a connection is let in; a refusal has the status of the upgrade and a sentence for its body. */
export type Admission =
  | {
      readonly ok: true
      readonly protocol: Protocol
      readonly chargePointId: string
      /** OCPP-RP14: not accepted yet, so its connection has the limits of an unaccepted charge point. */
      readonly isUnaccepted?: true | undefined
      readonly shown?: ShownAtLogin | undefined
    }
  | {
      readonly ok: false
      readonly status: 400 | 401 | 403 | 404 | 429 | 503
      readonly reason: string
      readonly because?: RefusedConnection | undefined
    }

/** The entry of a refused connection in the charge point's history (TIMELINE-A4); absent: none. */
export interface RefusedConnection {
  readonly reason: string
  readonly detail: string
}

/** What the core sends to the owner of the sockets. A connection is a number that is never used again. */
export interface SocketEvents {
  /** One text frame, complete. */
  readonly send: (connection: number, text: string) => void
  /** With a close code of RFC 6455 §7.4. */
  readonly close: (connection: number, code: number, reason: string) => void
  /** One submitted text was processed: answered, or found to need no answer. Makes room for the next (OCPP-CN7). */
  readonly done: (connection: number) => void
  /** OCPP-RP14: whether it is an unaccepted charge point has changed since its admission. */
  readonly setLimits: (connection: number, isUnaccepted: boolean) => void
}

/** Any OCPP command of the version that the charge point speaks (SESSION-O6). */
export interface SendCommandOrder {
  readonly accountId: string
  readonly chargePointId: string
  readonly method: string
  /** Valid against the official schema, or the order is refused. */
  readonly request: Readonly<Record<string, unknown>>
  /** What the caller may have a charge point do (OIDC-C11); absent: everything. */
  readonly capabilities?: readonly Capability[] | undefined
  /** Milliseconds to wait for the answer; 0 returns the pending row at once. */
  readonly waitMs: number
  /** Milliseconds the command may stay queued while the charge point is offline; absent: refused when offline. */
  readonly ttlMs?: number | undefined
  /** Whose application sends it: while it waits it ends with the grant (OIDC-C13). */
  readonly grantId?: string | undefined
  readonly bulkOrderId?: string | undefined
}

/** What an application has waiting for one charge point. */
export interface DropCommandsOrder {
  readonly accountId: string
  readonly chargePointId: string
  readonly grantId: string
}

/** A command as ordered. One sent in parts is shown as one, under the id of its first part (SESSION-O11). */
export interface SentCommand extends Command {
  /** Log ids in the order in which they are sent; absent: it was sent whole. */
  readonly parts?: readonly number[] | undefined
}

/** A remote start (SESSION-O7 to SESSION-O9). Without EVSE and connector the charge point chooses. */
export interface StartSessionOrder
  extends Pick<Session, 'accountId' | 'chargePointId' | 'evseId' | 'connectorId' | 'externalReference'> {
  /** The card to charge for; absent: one that is made for this start. */
  readonly idToken?: string | undefined
  readonly limits?: ChargeLimits | undefined
  /** Instead of that of its card (GROUP-S2). */
  readonly priority?: number | undefined
  /** A driver paid for it by the QR code of the EVSE; instead of a card (OCPP21-C6). */
  readonly payment?: { readonly pspRef: string; readonly code: string; readonly timeoutSeconds: number } | undefined
  /** As for a command; at most 60 seconds (SESSION-O9). */
  readonly ttlMs?: number | undefined
  /** Whose customer it is for: its token is not checked (OCPI-A4). */
  readonly partner?: PartnerOfSession | undefined
  /** Milliseconds to wait for the charge point's answer; absent: none. */
  readonly waitMs?: number | undefined
}

/** A session as ordered, and what the charge point answered, if it did within `waitMs`. */
export type StartedSession = Session & {
  readonly answer?: 'accepted' | 'rejected' | 'timeout' | 'dropped' | undefined
}

/** COST-L2: figures left out keep their value. */
export interface SettleOrder {
  readonly accountId: string
  readonly sessionId: string
  /** Millionths of the currency's unit, without tax. */
  readonly costMicros?: number | undefined
  readonly currency?: string | undefined
  readonly energyMilliWh?: number | undefined
  /** Who, for the ledger (COST-L5). */
  readonly by: string
  readonly reason?: string | undefined
}

/** A settled session. */
export interface Settled {
  readonly session: Session
  /** COST-L3: false when the figures were the same already. */
  readonly counted: boolean
}

/** A registration that is gone. */
export interface Removed {
  readonly chargePointId: string
}

/** What sockets, API and console ask of the core. Orders may be given at any time; each waits for its commit. */
export interface Core {
  admit(request: AdmissionRequest): Promise<Admission>
  /** A socket finished its handshake. Replaces an older connection of the same id (OCPP-CN1). */
  opened(connection: number, chargePointId: string, protocol: Protocol, shown?: ShownAtLogin): void
  /** The socket has ended, for whatever reason; with a close code of RFC 6455 §7.4 and the text beside it. */
  closed(connection: number, code?: number, reason?: string): void
  /** One frame, in order of arrival. Bytes that were no UTF-8 are U+FFFD in it, and then it begins with `NOT_UTF8`. */
  submit(connection: number, text: string): void
  /** A ping, pong or empty frame: a sign of life without content (OCPP-LG6). */
  alive(connection: number): void
  /** Resolves with the command's row: `pending`, or with its answer if that came within `waitMs` (SESSION-O1). */
  sendCommand(order: SendCommandOrder): Promise<SentCommand | Refusal>
  /** Resolves when it is stored that commands of this grant which wait for the charge point are never sent. */
  dropCommands(order: DropCommandsOrder): Promise<void>
  /** Resolves with the pending session, which is stored before the command leaves (SESSION-S1). */
  startSession(order: StartSessionOrder): Promise<StartedSession | Refusal>
  /** Resolves when the stop is stored, to be carried out (SESSION-S10). A pending session is cancelled (SESSION-S9). */
  stopSession(accountId: string, sessionId: string): Promise<Session | Refusal>
  /** Settles a completed session or corrects its settlement (COST-L2, COST-L3). */
  settle(order: SettleOrder): Promise<Settled | Refusal>
  /** An order for a block: its rule decides, and the outcome is returned once it is committed. */
  decideBlock(order: BlockOrder): Promise<Outcome | Refusal>
  /** Our own authorities are there when it resolves (CERT-C7). */
  prepareAuthorities(): Promise<void>
  /** Resolves when the order for the report is stored (DEVICE-A2). */
  orderReport(order: ReportOrder): Promise<ReportOrdered | Refusal>
  /** Makes the intents of these charge points what the account's configurations say (CONFIG-A4). */
  settleConfigurations(order: ConfigurationOrder): Promise<void>
  /** This configuration or set of monitors was changed: it is read again. Without `desired` all of the account are. */
  configurationsChanged(accountId: string, desired?: DesiredName): Promise<void>
  /** Connectivity as the core knows it: online with 60 s grace (OCPP-CN4), last sign of life. */
  connectivity(chargePointIds: readonly string[]): Promise<readonly Connectivity[]>
  /** What the planner of a limit group needs to know (GROUP-A1); absent are those that no node has. */
  limitViews(chargePointIds: readonly string[]): Promise<readonly StationView[]>
  onlineChargePoints(accountId: string): Promise<readonly string[]>
  /** Those of each account that has any online. */
  networks(): Promise<readonly AccountNetwork[]>
  /** Ends what is open, deletes the registration and closes the socket. */
  removeChargePoint(accountId: string, chargePointId: string): Promise<Removed | Refusal>
  /** Closes the socket of a charge point (disabled, password changed). */
  disconnect(chargePointId: string, reason: string): Promise<void>
  statistics(): Promise<CoreStatistics>
  /** No new connections from here on. @returns whether other servers are there to take what comes */
  leave(): Promise<boolean>
  /** Finishes what was submitted, answers it, and stops (OCPP-CN6). */
  drain(): Promise<void>
}

/** The operations that are answered. The others only inform the core, in order with the frames. */
export type Answered = {
  [Name in keyof Core]: Core[Name] extends (...args: never[]) => Promise<unknown> ? Name : never
}[keyof Core]

/** Whether a charge point is connected, as far as this server knows. */
export interface Connectivity {
  readonly chargePointId: string
  readonly online: boolean
  readonly lastSeenAt?: number | undefined
  readonly protocol?: string | undefined
  /** ENERGY-W3: milliseconds that its clock is ahead of ours, as far as it showed since this process began. */
  readonly clockSkewMs?: number | undefined
}

/** An account's charge points as the core sees them. */
export interface AccountNetwork {
  readonly accountId: string
  /** Ids of its charge points that are online, as `connectivity` says it. */
  readonly online: readonly string[]
  /** How many of them have a clock that is wrong by more than a minute. */
  readonly wrongClocks: number
}

/** Durations since the start, in buckets. */
export interface Durations {
  /** Upper bounds in seconds, rising. */
  readonly bounds: readonly number[]
  /** How many fell into each bucket; one more than bounds, for those above all of them. */
  readonly counts: readonly number[]
  readonly sum: number
}

/** Counters for /metrics; all rise from the start of the process unless named otherwise. */
export interface CoreStatistics {
  readonly connections: number
  readonly queued: number
  readonly messages: number
  readonly commits: number
  readonly callErrors: number
  readonly failedCommits: number
  readonly malformedFrames: number
  readonly repeatedMessages: number
  /** Change sets that are committed and not yet where readers look; falls, too. */
  readonly waitingChanges: number
  readonly failedFlushes: number
  /** Of groups, answer of the store included. */
  readonly commitSeconds?: Durations | undefined
  /** The durable part of each, where the engine reports it. */
  readonly syncSeconds?: Durations | undefined
  /** The code with which the store refuses whole groups now, as one with a full disk does. */
  readonly storeRefuses?: string | undefined
  /** Where several nodes share the database: why this one should get no requests now. */
  readonly node?: { readonly notReady: string | undefined }
}

/** Time from outside, in milliseconds: only `app.ts` and the threads' entries make a system clock. */
export interface Clock {
  /** Milliseconds since the epoch. When the machine's clock is set it jumps, forwards or back. */
  now(): number
  /** Milliseconds since some moment of this process. It never jumps, so durations are measured with it. */
  monotonic(): number
  /** Runs once after `ms` milliseconds. The returned function cancels it, and may be called at any time. */
  after(ms: number, run: () => void): () => void
}

// The signer of charge points' requests (CERT-C7, CERT-C21, CERT-C22).

/** A request of a charge point, to be signed. */
export interface SigningOrder {
  readonly id: string
  readonly chargePointId: string
  readonly serialNumber?: string | undefined
  /** PEM; checked already. */
  readonly csr: string
  readonly keyKind: 'EC' | 'RSA'
  readonly type?: 'ChargingStationCertificate' | 'V2GCertificate' | undefined
  readonly commonName: string
  readonly organization: string
}

/** A chain, or why there is none yet, or why there will be none. */
export type SigningOutcome =
  /** PEM; not believed before it was checked against the request. */
  | { readonly chain: string; readonly authority?: string | undefined }
  /** The answer will come through the API. */
  | { readonly later: true }
  | { readonly state: 'rejected' | 'failed'; readonly reason: string }

/** Plain values, so that they cross into the core's thread. */
export interface SignerSettings {
  readonly provider: 'internal' | 'http' | 'manual'
  readonly hookUrl?: string | undefined
  readonly hookSecret?: string | undefined
  /** Of this server: where revocation lists are read. */
  readonly baseUrl: string
}

/** An authority of our own, a service of the operator, or a person. */
export interface CertificateSigner {
  sign(order: SigningOrder): Promise<SigningOutcome>
  /** Authorities of our own are made now, where there are any. */
  prepare(): Promise<void>
}

/** The operator's service that knows VAT numbers; resolves within seconds (OCPP21-C8). @param signal ends it early */
export type CheckVatNumber = (
  question: VatNumberQuestion & { readonly chargePointId: string },
  signal: AbortSignal,
) => Promise<VatNumberCheck>

/** Asks a partner about its token, within seconds; never rejects but where the server stops (OCPI-A10). */
export type AskPartner = (question: PartnerQuestion & { readonly chargePointId: string }) => Promise<PartnerVerdict>

/** A service of the operator; plain values, so that they cross into the core's thread. */
export type HookSettings = Readonly<Record<'url' | 'secret', string>>

/**
 * The program's log; `src/server/log.ts` writes it to stderr. `fields` are plain values named as in the code, an error
 * as the string `error`; `message` is one short sentence without values. Known secrets are blanked in both.
 */
export interface Log {
  /** Something happened that an operator may want to look up. */
  info(fields: object, message: string): void
  /** Something is wrong outside of this program, or will be soon. */
  warn(fields: object, message: string): void
  /** This program could not do what it promises: an operator has to look. */
  error(fields: object, message: string): void
}
