/** splitmix64's finalizer in halves of 32 bits: 0.1 µs once per exported row, where big integers take 0.4. */

type Halves = readonly [high: number, low: number]

const HALF = 0x1_0000_0000

/** Mixes `value` xor `salt`. @param value a safe integer @returns the 64 bits as two unsigned halves */
export function mix64(value: number, salt: bigint): Halves {
  if (salt !== known.salt)
    known = { salt, high: Number(BigInt.asUintN(32, salt >> 32n)), low: Number(BigInt.asUintN(32, salt)) }
  const low = ((value ^ known.low) >>> 0) + 0x7f4a7c15
  const high = (Math.floor(value / HALF) ^ known.high) + 0x9e3779b9 + Number(low >= HALF)
  const first = times(shiftXor([high >>> 0, low >>> 0], 30), 0xbf58476d, 0x1ce4e5b9)
  const second = times(shiftXor(first, 27), 0x94d049bb, 0x133111eb)
  return shiftXor(second, 31)
}

/** One database has one salt, and taking it apart costs as much as the mixing. */
let known = { salt: 0n, high: 0, low: 0 }

/** x ^ (x >> bits), for less than 32 bits. */
function shiftXor([high, low]: Halves, bits: number): Halves {
  return [(high ^ (high >>> bits)) >>> 0, (low ^ ((low >>> bits) | (high << (32 - bits)))) >>> 0]
}

/** The product's low 64 bits. */
function times([high, low]: Halves, factorHigh: number, factorLow: number): Halves {
  // Of 16 bits each, so that no partial product is rounded.
  const [upper, lower] = [low >>> 16, low & 0xffff]
  const [factorUpper, factorLower] = [factorLow >>> 16, factorLow & 0xffff]
  const bottom = lower * factorLower
  const middle = upper * factorLower + (bottom >>> 16)
  const other = lower * factorUpper + (middle % 0x10000)
  const carried = upper * factorUpper + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000)
  const product = ((other & 0xffff) << 16) | (bottom & 0xffff)
  return [(carried + Math.imul(high, factorLow) + Math.imul(low, factorHigh)) >>> 0, product >>> 0]
}
