/** How a version carries local lists: its calls, and the meaning of their answers (LIST-A3). */
import type { ListAnswer, ListEntry } from '../../domain/local-lists/records.ts'
import type { OutgoingCall, Payload } from '../payload.ts'
import { integer, text } from './payload.ts'

export interface LocalListsOnWire {
  readonly askVersion: OutgoingCall
  /** Asks for the limits of its device model. */
  readonly askLimits: OutgoingCall
  readonly readVersion: (response: Payload) => number | undefined
  /** Undefined: this version cannot express it. */
  readonly entry: (entry: ListEntry, isGone: boolean) => Payload | undefined
  readonly send: (version: number, isFull: boolean, entries: readonly Payload[]) => OutgoingCall
}

/** The same words in both versions; 1.6 has one more. */
export function readListAnswer({ status }: Payload): ListAnswer {
  switch (text(status)?.toLowerCase()) {
    case 'accepted':
      return 'accepted'
    case 'notsupported':
      return 'unsupported'
    default:
      return 'refused'
  }
}

/** A list without entries is left out (2.0.1 D01.FR.04). */
export function sendLocalList(
  version: object,
  isFull: boolean,
  localAuthorizationList: readonly Payload[],
): OutgoingCall {
  const some = localAuthorizationList.length > 0 && { localAuthorizationList }
  return { method: 'SendLocalList', request: { ...version, updateType: isFull ? 'Full' : 'Differential', ...some } }
}

/** 1.6 sends -1 where it has no lists. */
export function versionIn(value: unknown): number | undefined {
  const version = integer(value)
  return version === undefined || version < 0 ? undefined : version
}
