/** The records that the storage port speaks of, and the change sets of the core. */
import type { RecordPut } from '../records/records.ts'
import type { Changes, SessionSettings } from '../sessions/decision.ts'
import type { TariffLocation } from '../tariffs/places.ts'
import type { IdToken } from './id-tokens.ts'
import type { ChargePointStatus, Connector, FrozenTariff, RemoteStartSign, Session, Transaction } from './sessions.ts'
import type { NewEvent, SettlementEntry } from './storage-webhooks.ts'

/** Whom charge points, users and sessions belong to. Nothing of one account is shown to another. */
export interface Account {
  readonly id: string
  readonly name: string
  readonly createdAt: number
  /** Sessions are settled when they complete, with the figures they have then (COST-L4). */
  readonly automaticSettlement?: true | undefined
}

/** What each may do: domain/accounts/roles.ts. */
export type Role = 'administrator' | 'operator' | 'viewer' | 'member'

/** A person who signs in. */
export interface User {
  readonly id: string
  readonly accountId: string
  readonly email: string
  readonly name?: string | undefined
  readonly role: Role
  /** PHC-style string (OIDC-L5); no such string while no password was chosen yet. */
  readonly passwordHash: string
  readonly disabledAt?: number | undefined
  readonly createdAt: number
  /** Signs in with a password where others may not (ADMIN-K6). */
  readonly breakGlass?: true | undefined
  /** Rises when the user is disabled or gets another role: what was signed in before is over (OIDC-L6). */
  readonly signInEpoch?: number | undefined
}

/** An account's own key (`pwk_<id>_<secret>`); only the hash of the secret is stored (OIDC-U7). */
export interface Credential {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly secretHash: string
  /** What it may do; absent: everything within its account. */
  readonly scopes?: readonly string[] | undefined
  readonly createdAt: number
  readonly expiresAt?: number | undefined
  readonly revokedAt?: number | undefined
  readonly lastUsedAt?: number | undefined
}

/** Registration of a charge point: what the account decides. What the station reports is `ChargePointStatus`. */
export interface ChargePoint {
  readonly id: string
  readonly accountId: string
  readonly name?: string | undefined
  /** `v1$<salt>$<HMAC-SHA-256>`, several separated by a space while a change is in doubt (OCPP-AU2, OCPP-AU6). */
  readonly passwordHash?: string | undefined
  readonly securityProfile: 0 | 1 | 2 | 3
  readonly protocols?: readonly string[] | undefined
  readonly validation?: 'strict' | 'lenient' | 'off' | undefined
  readonly registrationStatus: 'Accepted' | 'Pending' | 'Rejected'
  readonly disabled?: boolean | undefined
  /** CERT-C15: its certificate is taken after its end, so that it can ask for a new one. */
  readonly acceptExpired?: boolean | undefined
  readonly subjectCheck?: 'contains' | 'exact' | 'off' | undefined
  /** CERT-C28: what its first certificate is held against, until it has booted. */
  readonly expectedSerialNumber?: string | undefined
  readonly createdAt: number
  readonly labels?: Readonly<Record<string, string>> | undefined
}

/** A charge point as lists and look-ups show it: registration, last report and connectors. */
export interface ChargePointView extends ChargePoint {
  readonly status: ChargePointStatus
  readonly connectors: readonly ConnectorView[]
}

/** A connector as it last reported, with when that began. */
export interface ConnectorView extends Connector {
  /** When the present status and error began; absent: at `updatedAt`. */
  readonly since?: number | undefined
}

/** Outcome of a message. `dropped`: it was never sent, or its outcome is unknown. */
export type CommandStatus = 'pending' | 'success' | 'error' | 'timeout' | 'dropped'

/** The CALLERROR with which a message was answered. */
export interface CommandError {
  readonly code: string
  readonly description: string
  readonly details: unknown
}

/** One row of the message log. JSON payloads are text exactly as they crossed the wire (secrets masked, OCPP-LG5). */
export interface Command {
  /** domain/message-log/log-id.ts: milliseconds since 2020 × 4096 + sequence; time, order and cursor at once. */
  readonly id: number
  readonly chargePointId: string
  readonly direction: 'in' | 'out'
  readonly method: string
  readonly messageId: string
  readonly protocol: string
  readonly connectorId?: number | undefined
  readonly evseId?: number | undefined
  readonly transactionId?: string | undefined
  readonly status: CommandStatus
  readonly request: string
  readonly response?: string | undefined
  readonly error?: CommandError | undefined
  readonly answeredAt?: number | undefined
  /** Schema errors of a leniently accepted message (OCPP-VA1), in one line; see `schemaErrorTexts`. */
  readonly schemaErrors?: string | undefined
}

/** The answer to a row of the log that was stored before; it completes the row. */
export type CommandAnswer = Pick<
  Command,
  'id' | 'status' | 'response' | 'error' | 'answeredAt' | 'transactionId' | 'schemaErrors'
>

/** What a decision read that stands neither in its log row nor in what its charge point changed before (STORE-J6). */
export interface DecidedBy {
  /** When the message came: its row says when it was decided. */
  readonly receivedAt: number
  readonly status: ChargePointStatus
  readonly settings: { readonly sessions: SessionSettings; readonly figuresIntervalMs: number }
}

/** Everything one message changes: applied whole or not at all. Absent may be spelled `undefined`, as in `Changes`. */
export interface ChangeSet extends Omit<Changes, 'events'> {
  readonly chargePointId: string
  readonly command?: Command | undefined
  readonly answer?: CommandAnswer | undefined
  readonly events?: readonly NewEvent[] | undefined
  /** Entries of the ledger (COST-L5). */
  readonly settlements?: readonly SettlementEntry[] | undefined
  /** It follows from the row of its command, this and its documents before; an engine may keep no more of it. */
  readonly decidedBy?: DecidedBy | undefined
}

/** `due`: webhook deliveries were made of it. */
export type CommitResult =
  | { readonly ok: true; readonly due?: true | undefined }
  | { readonly ok: false; readonly error: Error }

/** Everything that decisions about a charge point read: it stays in memory while the charge point is active. */
export interface LoadedChargePoint {
  readonly chargePoint: ChargePoint
  readonly status: ChargePointStatus
  readonly connectors: readonly Connector[]
  readonly transactions: readonly Transaction[]
  /** Non-terminal ones, those of open transactions, ended ones with figures (HOOK-M3) or settlement due (COST-L4). */
  readonly sessions: readonly Session[]
  /** What a session that starts now costs (COST-L1). */
  readonly tariff?: FrozenTariff | undefined
  /** Of locations, by EVSE and connector (TARIFF-A1). */
  readonly places?: readonly TariffLocation[] | undefined
  readonly automaticSettlement?: true | undefined
  /** Of the account: the organization in certificates, unless the settings name one (CERT-C12). */
  readonly accountName?: string | undefined
  /** Those that are declared as loaded with their charge point, kind by kind in the order of their keys. */
  readonly records?: readonly RecordPut[] | undefined
  /** Another node has it: nothing may be decided on this state. */
  readonly isElsewhere?: true | undefined
  /** The newest id in its log, where others may have given it: what follows has a greater one. */
  readonly newestCommandId?: number | undefined
}

/** How messages name a transaction: by its id, or, before it has one, by what its start looked like. */
export type TransactionKey = { readonly transactionId: string } | { readonly startKey: string }

/** What a decision may need besides the state of its charge point. */
export type Lookup =
  | { readonly chargePointId: string; readonly transaction: TransactionKey }
  /** Per outlet the newest closed transactions before this station time, and those that began at it (SESSION-A16). */
  | { readonly chargePointId: string; readonly newestAt: number }
  /** The oldest session that expired (SESSION-S5) or was cancelled (SESSION-S9) before this start came. */
  | { readonly chargePointId: string; readonly overdueStart: RemoteStartSign }
  | { readonly sessionId: string }
  /** Ids in any case (TOKEN-Z1). */
  | { readonly accountId: string; readonly idTokens: readonly string[] }

/** What was found of a `Lookup`; members that it did not ask for are absent. */
export interface LookedUp {
  readonly transactions?: readonly { readonly transaction: Transaction; readonly session: Session }[] | undefined
  readonly session?: Session | undefined
  readonly idTokens?: readonly IdToken[] | undefined
}

/** Why an order is not carried out, as a value: the core and the use cases of `orders` return it and do not throw. */
export interface Refusal {
  readonly refused: true
  /** The status of HTTP with which the API and the console answer. */
  readonly status: 400 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 503 | 507
  /** For programs, such as `charge_point_offline`; it never changes. */
  readonly code: string
  /** One or two sentences for a person: what is wrong, and what to do. Holds no secret. */
  readonly detail: string
  /** What is wrong with single members, by JSON pointer. Without a `code` it has the refusal's. */
  readonly errors?:
    | readonly { readonly pointer: string; readonly code?: string | undefined; readonly message: string }[]
    | undefined
  /** The rest of what was sent is not read, so the connection ends with the answer. */
  readonly unread?: true | undefined
  /** Present when it is known how long to wait until the same order may succeed. */
  readonly retryAfterSeconds?: number | undefined
}
