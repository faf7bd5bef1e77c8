/**
 * Puts an entry into a map that may hold at most so many; the one that was put there longest ago goes first.
 * @example keepNewest(buckets, key, bucket, 10_000)
 */
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
