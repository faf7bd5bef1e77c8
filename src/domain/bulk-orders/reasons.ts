/** Why a charge point did not do a bulk order: stored as a sentence, said by pages in their language (BULK-B8). */
import type { BulkRow } from './records.ts'

export const REASONS = {
  deleted: 'the charge point was deleted',
  notInTime: 'it was not connected in time',
  unsent: 'it could not be sent in time',
  lost: 'the connection ended before the charge point answered',
  cancelled: 'the order was cancelled',
  notShared: 'it is not shared with the application any more',
  sealed: 'the order was sealed under another secret key',
  tooManyLogs: 'too many logs of it are expected already',
  logDeleted: 'the log was deleted',
  configurationDeleted: 'the configuration was deleted',
  configurationElsewhere:
    'The configuration means other charge points, and does not name them by id: change its selector.',
  userDisabled: 'the user who ordered it is disabled',
  userMayNot: 'the user who ordered it may not operate charge points any more',
  credentialRevoked: 'the API credential was revoked',
  credentialExpired: 'the API credential has expired',
  grantEnded: 'the grant of the application has ended',
  grantUserDisabled: 'the user of the application is disabled',
  unknown: 'There is no such charge point.',
  notAccepted: 'The charge point is not accepted.',
} as const

export type ReasonCode = keyof typeof REASONS

/** The word of the charge point follows it. */
export const ANSWERED = 'the charge point answered '

export function noAnswerIn(ms: number): string {
  return `no answer in ${ms / 1000} s`
}

/** Why it did not do it; what it answered itself is stored once, as its answer. */
export function reasonOf({ state, reason, answer }: Pick<BulkRow, 'state' | 'reason' | 'answer'>): string | undefined {
  return reason ?? (state === 'failed' && answer !== undefined ? `${ANSWERED}${answer}` : undefined)
}
