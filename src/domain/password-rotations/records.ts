/** Rotations that change the passwords of many charge points, and the change of each (OCPP-AU7). */
import { type InputsOf, integer, json, optional, type RecordOf, record, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'

/** A charge point that a rotation has chosen. */
export interface ChosenChargePoint {
  readonly id: string
  readonly unsuitable?: string | undefined
}

/** `ordering` and `cancelling` until every charge point has heard of it; a server that dies leaves that to the next. */
type RotationState = 'ordering' | 'running' | 'done' | 'cancelling' | 'cancelled'

/** Those that are looked at until they are over. */
export const OPEN_ROTATIONS = ['ordering', 'cancelling', 'running'] as const satisfies readonly RotationState[]

/** Rotations, by account. */
export const passwordRotations = record('password_rotations', {
  key: ['accountId', 'id'],
  columns: {
    accountId: text(),
    id: text(),
    state: text<RotationState>(),
    selector: json<Selector>(),
    /** Whom it is still to be ordered of; absent once it is. */
    chosen: optional(json<readonly ChosenChargePoint[]>()),
    createdAt: integer(),
    updatedAt: integer(),
  },
  indexes: [['state'], ['accountId', 'state']],
})

export type PasswordRotation = RecordOf<typeof passwordRotations>

/** Those in which the charge point may still get the new password, or have to prove it. */
export const OPEN_CHANGES = ['pending', 'sent', 'accepted'] as const

/** `pending`: not sent yet. `sent`: its outcome is not known. `accepted`: by the charge point. `done`: it logged in. */
export const CHANGE_STATES = [...OPEN_CHANGES, 'done', 'failed', 'cancelled', 'skipped'] as const

export type ChangeState = (typeof CHANGE_STATES)[number]

/** The password of one charge point in a rotation. */
export const passwordChanges = record('password_changes', {
  key: ['chargePointId', 'rotationId'],
  columns: {
    chargePointId: text(),
    rotationId: text(),
    accountId: text(),
    state: text<ChangeState>(),
    reason: optional(text()),
    /** The new password, sealed; absent once the change is over. */
    password: optional(text()),
    /** What the new password is recognized by at a login. */
    hash: text(),
    attempts: integer(),
    /** It is given up then; present while it is sent or accepted. */
    proofBy: optional(integer()),
    /** Looked at again then; absent: nothing is waited for but the charge point. */
    dueAt: optional(integer()),
    createdAt: integer(),
    updatedAt: integer(),
  },
  indexes: [['rotationId', 'state'], ['dueAt']],
  loadedWith: 'chargePoint',
})

export type PasswordChange = RecordOf<typeof passwordChanges>

/** What the answer to the call says. `later`: after a restart. `unknown`: it was sent and not answered. */
export type PasswordAnswer = 'accepted' | 'later' | 'rejected' | 'unsent' | 'unknown'

/** What happens to the password of one charge point; rules.ts decides what follows. */
export type PasswordInput = InputsOf<{
  passwordOrdered: {
    rotationId: string
    password: string
    hash: string
    unsuitable?: string | undefined
  }
  passwordCallOrdered: { rotationId: string }
  passwordAnswered: { rotationId: string; answer: PasswordAnswer; reason?: string | undefined }
  passwordSeen: { hash: string }
  passwordCancelled: { rotationId: string }
  passwordsDue: unknown
}>
