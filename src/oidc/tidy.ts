/** Forgets what nothing can use any more, at most hourly, when a request begins or a token is issued. */
import type { OidcParts } from './provider.ts'

const HOUR_MS = 3_600_000
/**
 * Codes, tokens and sign-ins are kept a while: a late replay is then still recognised as one, and `oauth explain` has
 * an answer.
 */
const KEPT_MS = 24 * HOUR_MS

export function createTidier({ writes, now, log }: Pick<OidcParts, 'writes' | 'now' | 'log'>): () => void {
  let last = now()
  return () => {
    if (now() - last < HOUR_MS) return
    last = now()
    writes.deleteExpiredOidc(now(), KEPT_MS).catch((error: Error) => {
      log.warn({ error: error.message }, 'expired tokens could not be deleted')
    })
  }
}
