/**
 * Decimal text to an integer of a smaller unit, exactly. In floating point the rounding errors of 0.1 kWh steps would
 * add up over a year of billing, so the decimal point is moved in the text.
 */
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * The number in `text` times 10^`power`, rounded half away from zero; undefined when the text is no plain decimal
 * number (empty, `NaN`, hex, `OCMF|…`: ENERGY-N1) or its integer exceeds `limit`.
 * @example scaledInteger('0.1', 6, 1e15) // 0.1 kWh in milli-Wh: 100000
 */
export function scaledInteger(text: string, power: number, limit: number): number | undefined {
  // Signed meter data may be kilobytes long; no number is.
  if (text.length > 64) return undefined
  const match = DECIMAL.exec(text.trim())
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  if (digits === '') return undefined
  const magnitude = shift(digits, power + Number(exponent) - fraction.length)
  if (!(magnitude <= limit)) return undefined
  return sign === '-' && magnitude !== 0 ? -magnitude : magnitude
}

function shift(digits: string, places: number): number {
  if (places >= 0) return Number(`${digits}e${places}`)
  const kept = digits.length + places
  if (kept < 0) return 0
  const integer = Number(digits.slice(0, kept))
  return digits.charCodeAt(kept) >= FIVE ? integer + 1 : integer
}

const FIVE = '5'.charCodeAt(0)
