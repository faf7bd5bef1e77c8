/** Adds to a map of limited size; the oldest entry goes first. @example keepNewest(buckets, key, bucket, 10_000) */
export function keepNewest<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value, most: number): void {
  // Maps keep insertion order: deleted and set again, the entry moves to the end.
  kept.delete(key)
  kept.set(key, value)
  if (kept.size <= most) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
