/** Puts it into a map of at most so many; the oldest goes first. @example keepNewest(buckets, key, bucket, 10_000) */
export function keepNewest<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value, most: number): void {
  // A map keeps the order of insertion: deleted and set again, the entry stands last.
  kept.delete(key)
  kept.set(key, value)
  if (kept.size <= most) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
