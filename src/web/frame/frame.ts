import type { Role } from '../../domain/ports/storage-records.ts'
import type { Language, Texts } from '../texts.ts'

export interface Frame {
  readonly language: Language
  readonly texts: Texts
  /** Path of the dashboard, without a trailing slash. */
  readonly root: string
  /** Milliseconds since the epoch: what "ago" is counted from. */
  readonly now: number
  /** Where times are shown, as IANA names it: the user's own, or else the account's. */
  readonly timeZone: string
  readonly pageSize: number
  readonly scripted?: boolean
  /** Absent while no user is signed in, or where links away would only distract. */
  readonly visitor?: FrameVisitor
}

export interface FrameVisitor {
  readonly name: string
  readonly role: Role
  readonly administrator: boolean
  readonly sees: boolean
  readonly at: string
  readonly signOutCsrf: string
  /** Alerts that are on and not acknowledged: as many as are worth counting. */
  readonly openAlerts: number
  readonly counts: Readonly<Record<string, number>>
}
