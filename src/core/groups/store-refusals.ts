/** Whether the store refuses groups as a whole, as one with a full disk does (API-A3). */

/** With nobody to try, as behind a balancer that sends nobody, it is believed to work again after so long. */
const BELIEVED_MS = 30_000

interface StoreRefusals {
  /** What a commit ended with. */
  noted(error: unknown): void
  /** Until a group is stored. */
  newest: { readonly code: string; readonly at: number } | undefined
  /** The code of the newest refusal. */
  current(): string | undefined
}

/** @param now milliseconds of a clock that never steps */
export function storeRefusals(now: () => number): StoreRefusals {
  const refusals: StoreRefusals = {
    newest: undefined,
    noted(error) {
      const { code } = error as { readonly code?: unknown }
      // Others are in the way of a busy one: it is not the store that refuses.
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
