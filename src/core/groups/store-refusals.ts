/** Whether the store refuses groups as a whole, as one with a full disk does (API-A3). */

/** Without attempts, as behind a balancer that sends no traffic, the store counts as working again after this. */
const BELIEVED_MS = 30_000

interface StoreRefusals {
  noted(error: unknown): void
  newest: { readonly code: string; readonly at: number } | undefined
  current(): string | undefined
}

/** @param now milliseconds of a monotonic clock */
export function storeRefusals(now: () => number): StoreRefusals {
  const refusals: StoreRefusals = {
    newest: undefined,
    noted(error) {
      const { code } = error as { readonly code?: unknown }
      // Busy means other users, not that the store refuses.
      if (typeof code !== 'string' || !code.startsWith('storage_') || code === 'storage_busy') return
      refusals.newest = { code, at: now() }
    },
    current() {
      const { newest } = refusals
      return newest && now() - newest.at < BELIEVED_MS ? newest.code : undefined
    },
  }
  return refusals
}

/** A charge point belongs to another node (STORE-N8): decisions made here are neither stored nor answered. */
const CODE = 'NOT_OWNER'

export function notOwner(): Error {
  return Object.assign(new Error('The charge point is connected to another node.'), { code: CODE })
}

export function isNotOwner(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === CODE
}
