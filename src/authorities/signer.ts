/** Selects the signer by the settings (CERT-C7, CERT-C21, CERT-C22). */
import type { CertificateSigner, SignerSettings } from '../domain/ports/certificates.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { CoreStore, Writes } from '../domain/ports/storage.ts'
import { askHook } from './hook.ts'
import { createInternalAuthority } from './internal.ts'

interface SignerContext {
  readonly store: Pick<CoreStore, 'listRecords'>
  readonly writes: Pick<Writes, 'putRecords'>
  readonly settings: { readonly secretKey: Uint8Array; readonly organization?: string | undefined }
  readonly certificates: SignerSettings
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly random: (bytes: number) => Buffer
}

export function createSigner({
  store,
  writes,
  settings,
  certificates,
  clock,
  random,
}: SignerContext): CertificateSigner {
  const { provider, hookUrl, hookSecret, baseUrl } = certificates
  if (provider === 'http' && hookUrl !== undefined && hookSecret !== undefined) {
    const hook = { url: hookUrl, secret: hookSecret, clock }
    return { sign: (order) => askHook(hook, order), prepare: async () => undefined }
  }
  if (provider !== 'internal') return { sign: async () => ({ later: true }), prepare: async () => undefined }
  const { secretKey, organization } = settings
  const internal = createInternalAuthority({ store, writes, secretKey, organization, baseUrl, now: clock.now, random })
  return {
    prepare: internal.prepare,
    sign: (order) =>
      internal.sign(order).catch((error: Error) => ({ state: 'failed' as const, reason: error.message.slice(0, 500) })),
  }
}
