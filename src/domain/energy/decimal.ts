/** Exactly, by moving the point in the text: rounding errors of 0.1 kWh steps would add up over a year of billing. */
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/** `text` times 10^`power`, half away from zero; undefined: no plain decimal number (ENERGY-N1), or above `limit`. */
export function scaledInteger(text: string, power: number, limit: number): number | undefined {
  // Signed meter data may be kilobytes long; no number is.
  if (text.length > 64) return undefined
  const usual = plain(text, power)
  if (usual !== undefined) return usual <= limit ? usual : undefined
  const match = DECIMAL.exec(text.trim())
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  if (digits === '') return undefined
  const magnitude = shift(digits, power + Number(exponent) - fraction.length)
  if (!(magnitude <= limit)) return undefined
  return sign === '-' && magnitude !== 0 ? -magnitude : magnitude
}

/** Nearly all of them: a few digits, perhaps with a point. Undefined: not to be said in so few steps. */
function plain(text: string, power: number): number | undefined {
  if (text.length > MAX_EXACT) return undefined
  let integer = 0
  let digits = 0
  let point = -1
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - ZERO
    if (digit >= 0 && digit <= 9) {
      integer = integer * 10 + digit
      digits++
    } else if (digit === POINT && point < 0) point = digits
    else return undefined
  }
  const places = point < 0 ? power : power - digits + point
  const factor = digits > 0 ? POWERS[places] : undefined
  const scaled = factor === undefined ? Number.NaN : integer * factor
  return scaled <= Number.MAX_SAFE_INTEGER ? scaled : undefined
}

/** Digits that any integer of that length keeps exactly. */
const MAX_EXACT = 15
const ZERO = '0'.charCodeAt(0)
const POINT = '.'.charCodeAt(0) - ZERO
const POWERS = [1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

function shift(digits: string, places: number): number {
  if (places >= 0) return Number(`${digits}e${places}`)
  const kept = digits.length + places
  if (kept < 0) return 0
  const integer = Number(digits.slice(0, kept))
  return digits.charCodeAt(kept) >= FIVE ? integer + 1 : integer
}

const FIVE = '5'.charCodeAt(0)
