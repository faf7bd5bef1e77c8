/** The storage port of the administration: users as records, their links and second factors, and the audit log. */

import type { PasswordLink, SecondFactor, User } from '../accounts/records.ts'
import type { AuditEvent, AuditOutcome } from './storage-oidc.ts'
import type { ChangeOf } from './storage-webhooks.ts'

export type { PasswordLink, SecondFactor }

/** What an administrator sets of a user. */
export type UserChange = ChangeOf<Pick<User, 'role' | 'name' | 'disabledAt' | 'breakGlass'>>

/** A person as an OpenID provider names them: the issuer and its subject, which never changes. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

interface IdentityOrder extends Identity {
  /** Made if the provider's person has no user yet; `passwordHash` says whether the address is proven. */
  readonly user: User
  /** The provider vouches for the address: the user who has it here already is the same person (ADMIN-K4). */
  readonly isEmailVerified: boolean
  readonly ip: string
}

/** `taken`: another user has the address. */
type IdentityOutcome =
  | { readonly kind: 'known' | 'joined' | 'created'; readonly user: User }
  | { readonly kind: 'taken' }

/** A line of the audit log with its id, which is its place in it. */
export interface AuditRow extends AuditEvent {
  readonly id: number
}

/** A page of the audit log, the newest first; all that is given must hold. */
interface AuditQuery {
  readonly accountId: string
  readonly userId?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly actor?: string | undefined
  readonly belowId?: number | undefined
  readonly limit: number
}

/** What administrators change of users, and what users change of their own sign-in. */
export interface AdministrationWrites {
  /**
   * An account keeps an enabled administrator. A disabled user or a new role ends sign-ins and unused links (OIDC-L6).
   */
  changeUser(accountId: string, id: string, change: UserChange): Promise<User | 'last_administrator' | undefined>
  /** Whose identity it is: found, joined to a user of the same account by a verified address, or made with a user. */
  claimIdentity(order: IdentityOrder): Promise<IdentityOutcome>
  /** What the person is signed in with here ends, and what applications act with for them. @returns who it is */
  endAccess(identity: Identity, at: number, ip: string): Promise<User | undefined>
  /** Makes earlier links of the user useless. */
  createPasswordLink(link: PasswordLink): Promise<void>
  /** Spends the link and sets the password at once; false when it is unknown, used or expired. */
  spendPasswordLink(hash: string, passwordHash: string, at: number): Promise<boolean>
  putSecondFactor(factor: SecondFactor): Promise<void>
  deleteSecondFactor(userId: string): Promise<boolean>
  /** Takes a code's time step, once; the first one confirms. False when it, or a later one, was taken. */
  spendTimeStep(userId: string, step: number, at: number): Promise<boolean>
  spendRecoveryCode(userId: string, hash: string): Promise<boolean>
  endOtherLoginSessions(userId: string, keptIdHash: string, at: number): Promise<number>
  recorded(
    event: AuditEvent,
    operation: string,
    args: readonly unknown[],
  ): Promise<{ readonly auditId: number; readonly value: unknown }>
  /** The outcome, where it is known only afterwards. */
  setAuditOutcome(auditId: number, outcome: AuditOutcome, subject?: string): Promise<void>
  /** The outcome of what is still `ordered` will never be known: from now on it is `unknown` (ADMIN-C4). */
  endAuditOutcomes(): Promise<number>
  /** At most `limit` of the oldest rows from before this time. */
  deleteOldAudit(before: number, limit: number): Promise<number>
}

/** Look-ups of users and the search of the audit log. */
export interface AdministrationReads {
  findPasswordLink(hash: string): Promise<PasswordLink | undefined>
  findSecondFactor(userId: string): Promise<SecondFactor | undefined>
  /** Newest first. */
  searchAudit(query: AuditQuery): Promise<readonly AuditRow[]>
}
