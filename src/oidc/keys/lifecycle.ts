/** Signing keys: next, active, retired, gone; a pure function of their times, so nothing has to run (OIDC-D8). */
import type { SigningKey } from '../../domain/ports/storage-oidc.ts'

/** How long clients may keep the JWKS: a key is published this long before it signs. */
export const JWKS_MAX_AGE_SECONDS = 300

export interface KeyLife {
  readonly key: SigningKey
  readonly state: 'next' | 'active' | 'retired' | 'gone'
  /** next: when it becomes active; retired: when it is gone. */
  readonly until?: number | undefined
}

export function keyLives(keys: readonly SigningKey[], now: number, idTokenTtlSeconds: number): readonly KeyLife[] {
  const byTime = [...keys].sort((a, b) => a.activeFrom - b.activeFrom || a.kid.localeCompare(b.kid))
  return byTime.map((key, index): KeyLife => {
    if (key.activeFrom > now) return { key, state: 'next', until: key.activeFrom }
    const successor = byTime[index + 1]
    if (!successor || successor.activeFrom > now) return { key, state: 'active' }
    // What it signed last still has to verify, also by those who read the key set a moment ago.
    const until = successor.activeFrom + (idTokenTtlSeconds + JWKS_MAX_AGE_SECONDS) * 1000
    return { key, state: now < until ? 'retired' : 'gone', ...(now < until && { until }) }
  })
}
