import type { Version } from '../quirks/quirk.ts'

/** `SIM-001`, `SIM-002` …; an id without a number gets one; a single station keeps its id as it is. */
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

/** `PREFIX-00001`, `PREFIX-00002` … */
export function numberedIds(prefix: string, count: number): readonly string[] {
  if (count === 1) return [prefix]
  return Array.from({ length: count }, (_value, position) => `${prefix}-${String(position + 1).padStart(5, '0')}`)
}

export interface Share {
  readonly version: Version
  readonly weight: number
}

/** Versions in their shares, evenly mixed: each station gets the version that is furthest behind its share. */
export function mixedVersions(shares: readonly Share[], count: number): readonly Version[] {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  const given = shares.map(() => 0)
  return Array.from({ length: count }, (_value, position) => {
    let chosen = 0
    let furthest = Number.NEGATIVE_INFINITY
    for (const [at, { weight }] of shares.entries()) {
      const behind = ((position + 1) * weight) / total - (given[at] ?? 0)
      if (behind > furthest + 1e-9) {
        furthest = behind
        chosen = at
      }
    }
    given[chosen] = (given[chosen] ?? 0) + 1
    return shares[chosen]?.version ?? '1.6'
  })
}

export function startDelayMs(position: number, perSecond: number): number {
  return (position / perSecond) * 1000
}
