/** What a user opened by the jump, the latest first (CONSOLE-J4). */

export const KINDS = ['station', 'session', 'card', 'site'] as const

export interface Opened {
  readonly kind: (typeof KINDS)[number]
  readonly id: string
}

export const RECENT = 'recently opened'

const MOST = 10
const MAX_ID_LENGTH = 255

export function recentOf(kept: unknown): readonly Opened[] {
  return Array.isArray(kept) ? kept.filter(isOpened).slice(0, MOST) : []
}

function isOpened(one: unknown): one is Opened {
  if (typeof one !== 'object' || one === null) return false
  const { kind, id } = one as Partial<Record<keyof Opened, unknown>>
  return KINDS.some((known) => known === kind) && typeof id === 'string' && id.length <= MAX_ID_LENGTH
}

export function withOpened(before: readonly Opened[], { kind, id }: Opened): readonly Opened[] {
  return [{ kind, id }, ...before.filter((one) => one.kind !== kind || one.id !== id)].slice(0, MOST)
}
