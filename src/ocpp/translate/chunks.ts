/** Cuts a list into messages that a station accepts (CONFIG-A3), by number of items and bytes. */
import type { CarryingCall, IntentToSend } from './blocks-on-wire.ts'

/** For stations without a stated limit. */
const DEFAULT_ITEMS = 10

/** Id, action and the member's name around the list. */
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
    // An item that is too long by itself is sent anyway: only the station knows whether it fits.
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
  /** The request's list member. */
  readonly member: string
  /** As stated by the station. */
  readonly items: number | undefined
  readonly bytes?: number | undefined
}

/** The calls that carry these intents. @param entryOf undefined: not sent */
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

/** A station's limit, at least 1. */
export function mostOf(limit: number | undefined, otherwise: number): number {
  return limit === undefined || limit < 1 ? otherwise : limit
}
