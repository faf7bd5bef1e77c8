/** Where the dashboard leads: one line per entry, in the order of the page. */
import type { Texts } from './texts.ts'

export interface NavigationEntry {
  /** Below the dashboard; empty: its first page. */
  readonly path: string
  readonly name: (texts: Texts) => string
  /** Whom the page is for; others do not see the entry. */
  readonly who: 'anybody' | 'sees' | 'administrator'
}

/** What is looked at every day, and beneath it what is set up once. */
export const NAVIGATION: { readonly daily: readonly NavigationEntry[]; readonly setUp: readonly NavigationEntry[] } = {
  daily: [
    { path: '', name: ({ overview }) => overview, who: 'sees' },
    { path: '/charge-points', name: ({ chargePoints }) => chargePoints, who: 'sees' },
    { path: '/charging-sessions', name: ({ sessions }) => sessions, who: 'sees' },
    { path: '/id-tokens', name: ({ idTokens }) => idTokens, who: 'sees' },
    { path: '/alerts', name: ({ alerts }) => alerts, who: 'sees' },
    { path: '/configurations', name: ({ configurations }) => configurations, who: 'sees' },
    { path: '/firmware', name: ({ firmware }) => firmware, who: 'sees' },
    { path: '/certificates', name: ({ certificates }) => certificates, who: 'sees' },
    { path: '/webhooks', name: ({ webhooks }) => webhooks, who: 'administrator' },
  ],
  setUp: [
    { path: '/tariffs', name: ({ tariffs }) => tariffs, who: 'sees' },
    { path: '/users', name: ({ users }) => users, who: 'administrator' },
    { path: '/developer/clients', name: ({ developer }) => developer, who: 'administrator' },
    { path: '/developer/credentials', name: ({ credentials }) => credentials, who: 'administrator' },
    { path: '/audit', name: ({ audit }) => audit, who: 'administrator' },
    { path: '/applications', name: ({ applications }) => applications, who: 'anybody' },
    { path: '/sign-ins', name: ({ signIns }) => signIns, who: 'anybody' },
  ],
}
