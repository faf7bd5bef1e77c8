/** Many stations at once: their ids, and how they are run side by side. */

/**
 * `SIM-001` counts up to `SIM-002`, `SIM-003` …; an id without a number gets one. A single station has the id as it is.
 */
export function fleetIds(first: string, count: number): readonly string[] {
  if (count === 1) return [first]
  const match = /^(|.*\D)(\d+)$/s.exec(first)
  const prefix = match?.[1] ?? `${first}-`
  const digits = match?.[2] ?? '001'
  return Array.from({ length: count }, (_value, position) => {
    const number = (BigInt(digits) + BigInt(position)).toString()
    return prefix + number.padStart(digits.length, '0')
  })
}

/** Delay of station `position` so that a fleet spreads its starts over a fifth of the charge. */
export function startDelayMs(position: number, count: number, durationMs: number): number {
  return count <= 1 ? 0 : (position / count) * durationMs * 0.2
}
