/** Cuts a list into messages that a station takes (CONFIG-A3): so many items, and so many bytes. */
import type { CarryingCall, IntentToSend } from './blocks-on-wire.ts'

/** Where a station did not say how many it takes. */
const DEFAULT_ITEMS = 10

/** What stands around the list in the message: id, action, the member's name. */
const FRAME_BYTES = 128

export function chunks<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  { most, bytes = Number.POSITIVE_INFINITY }: { readonly most: number; readonly bytes?: number | undefined },
): readonly (readonly Item[])[] {
  const made: Item[][] = []
  let size = 0
  for (const item of items) {
    const own = sizeOf(item) + 1
    const last = made.at(-1)
    // One that is too long by itself is sent all the same: only the station knows what it does with it.
    if (!last || last.length >= most || size + own > bytes) {
      made.push([item])
      size = FRAME_BYTES + own
    } else {
      last.push(item)
      size += own
    }
  }
  return made
}

interface Carrier {
  readonly method: string
  /** Of the request, where the list stands. */
  readonly member: string
  /** What the station said that it takes. */
  readonly items: number | undefined
  readonly bytes?: number | undefined
}

/** The calls that carry these intents. @param entryOf of one in the list; undefined: it is not sent */
export function carrying(
  intents: readonly IntentToSend[],
  { method, member, items, bytes }: Carrier,
  entryOf: (intent: IntentToSend) => unknown,
): readonly CarryingCall[] {
  const entries = intents.flatMap((intent) => {
    const entry = entryOf(intent)
    return entry === undefined ? [] : [{ key: intent.key, entry }]
  })
  const limits = { most: mostOf(items, DEFAULT_ITEMS), bytes }
  return chunks(entries, ({ entry }) => jsonBytes(entry), limits).map((chunk) => ({
    call: { method, request: { [member]: chunk.map(({ entry }) => entry) } },
    keys: chunk.map(({ key }) => key),
  }))
}

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** A limit that a station gave, at least 1. */
export function mostOf(limit: number | undefined, otherwise: number): number {
  return limit === undefined || limit < 1 ? otherwise : limit
}
