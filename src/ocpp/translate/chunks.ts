/** Cuts a list into messages that a station takes (CONFIG-A3): so many items, and so many bytes. */

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

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** A limit that a station gave, at least 1. */
export function mostOf(limit: number | undefined, otherwise: number): number {
  return limit === undefined || limit < 1 ? otherwise : limit
}
