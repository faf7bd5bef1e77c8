/** The signed values of one session, the oldest first, each with the key of its meter. */
import type { Session } from '../ports/sessions.ts'
import type { Reads } from '../ports/storage.ts'
import { recordPages } from '../records/all-records.ts'
import type { MeterKey, SignedValue } from './records.ts'
import { type ReadSignedValue, readSignedValue } from './view.ts'

/** What these queries ask of the storage. */
export type SignedReads = Pick<Reads, 'listRecords'>

/** A value may be as long as a frame: a page of them stays small. */
const VALUES_A_PAGE = 16
const KEYS_READ = 1000

/** A page at a time, so that a session with much of it takes no memory. */
export async function* signedValuesOf(
  reads: SignedReads,
  { id, accountId, chargePointId }: Session,
): AsyncGenerator<ReadSignedValue, void, undefined> {
  const keys = await reads.listRecords('meter_keys', { where: { accountId, station: chargePointId }, limit: KEYS_READ })
  const shown = new Set<string>()
  for await (const page of recordPages(reads, 'signed_values', { sessionId: id }, VALUES_A_PAGE)) {
    for (const value of page) {
      const read = readSignedValue(value, (one) => keyAt(keys, one))
      // Sent at the begin and again with the stop, perhaps once with its key: one value.
      if (isNew(shown, value)) yield read
    }
  }
}

function isNew(shown: Set<string>, { digest }: SignedValue): boolean {
  if (shown.has(digest)) return false
  shown.add(digest)
  return true
}

/** SIGNED-K3: what its meter had by then; if nothing was known by then, what was seen first. */
export function keyAt(keys: readonly MeterKey[], { place, at }: Pick<SignedValue, 'place' | 'at'>): string | undefined {
  const ofPlace = keys.filter((key) => key.place === place)
  const candidates = ofPlace.length > 0 ? ofPlace : keysOfOnlyMeter(keys)
  const known = candidates.findLast((key) => key.at <= at) ?? candidates[0]
  return known?.publicKey
}

/** A station with one meter may not say where it stands. */
function keysOfOnlyMeter(keys: readonly MeterKey[]): readonly MeterKey[] {
  return keys.every(({ place }) => place === keys[0]?.place) ? keys : keys.filter(({ place }) => place === 0)
}
