/** Randomness from a seed: a station with the same seed and id decides, counts and names its messages the same way. */

export type Random = ReturnType<typeof createRandom>

const GOLDEN_RATIO = 0x9e3779b1

/** mulberry32: small, fast and the same on every machine; nothing secret hangs on it. */
export function createRandom(seed: number, salt = '') {
  let state = (hash(salt) ^ Math.imul(seed, GOLDEN_RATIO)) >>> 0
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const hex = (): string => word().toString(16).padStart(8, '0')
  /** From 0 up to but not including 1. */
  const next = (): number => word() / 0x1_0000_0000
  return {
    next,
    /** Both ends included. */
    between: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    uuid(): string {
      const [a, b, c, d] = [hex(), hex(), hex(), hex()]
      const variant = ((Number.parseInt(c.slice(0, 1), 16) & 3) | 8).toString(16)
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`
    },
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
