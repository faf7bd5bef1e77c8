/** Signing secrets at rest (HOOK-W4), each bound to its subscription: copied to another row it does not open. */
import type { SealedSecret, SecretRotation } from '../../domain/ports/storage-webhooks.ts'
import type { SealedBox } from '../../secrets/sealed-box.ts'

/** Those that sign now, newest first (HOOK-W3). */
export function validSecrets(secrets: readonly SealedSecret[], now: number): readonly SealedSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
}

/** In clear text. A secret sealed under a lost secret key no longer signs. @throws when none opens */
export function signingSecrets(
  box: SealedBox,
  secrets: readonly SealedSecret[],
  subscriptionId: string,
  now: number,
): readonly string[] {
  const opened = validSecrets(secrets, now).flatMap(({ sealed }) => box.open(sealed, subscriptionId) ?? [])
  if (opened.length === 0) throw new Error('Its secret was made under another secret key: rotate it.')
  return opened
}

/** At most two are valid: the new one, and the newest of the others until the overlap ends (HOOK-S1). */
export function rotated(
  secrets: readonly SealedSecret[],
  { sealed, at, overlapMs }: SecretRotation,
): readonly SealedSecret[] {
  const [previous] = validSecrets(secrets, at)
  if (!previous || overlapMs === 0) return [{ sealed }]
  return [{ sealed }, { sealed: previous.sealed, expiresAt: at + overlapMs }]
}
