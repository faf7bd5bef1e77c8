/** Where the dashboard leads: one line per entry, in the order of the side bar. */
import type { IconName } from './frame/icons.tsx'
import type { Texts, WordOf } from './texts.ts'

export interface NavigationEntry {
  /** Below the dashboard; empty: its first page. */
  readonly path: string
  readonly name: WordOf<Texts>
  readonly icon: IconName
  readonly who: 'anybody' | 'sees' | 'administrator'
  readonly also?: readonly string[]
}

interface NavigationGroup {
  readonly name: keyof Texts['groups']
  readonly entries: readonly NavigationEntry[]
}

/** The groups of the side bar. A group without an entry for the visitor is not shown. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    name: 'operate',
    entries: [
      { path: '', name: 'overview', icon: 'overview', who: 'sees' },
      { path: '/charge-points', name: 'stations', icon: 'stations', who: 'sees', also: ['/new-charge-point'] },
      { path: '/charging-sessions', name: 'sessions', icon: 'sessions', who: 'sees' },
      { path: '/alerts', name: 'alerts', icon: 'alerts', who: 'sees' },
      { path: '/log', name: 'log', icon: 'log', who: 'sees' },
      { path: '/uptime', name: 'uptime', icon: 'monitors', who: 'sees' },
      { path: '/reports', name: 'reports', icon: 'audit', who: 'sees' },
    ],
  },
  {
    name: 'energy',
    entries: [
      { path: '/sites', name: 'sites', icon: 'sites', who: 'sees' },
      { path: '/locations', name: 'locations', icon: 'sites', who: 'sees', also: ['/new-location'] },
      { path: '/limits', name: 'limits', icon: 'limits', who: 'sees' },
      { path: '/tariffs', name: 'tariffs', icon: 'tariffs', who: 'sees' },
    ],
  },
  {
    name: 'people',
    entries: [
      { path: '/id-tokens', name: 'idTokens', icon: 'cards', who: 'sees' },
      { path: '/developer/clients', name: 'applications', icon: 'applications', who: 'administrator' },
      { path: '/users', name: 'users', icon: 'users', who: 'administrator' },
      { path: '/partners', name: 'partners', icon: 'applications', who: 'administrator' },
    ],
  },
  {
    name: 'fleet',
    entries: [
      { path: '/bulk-orders', name: 'bulkOrders', icon: 'nodes', who: 'sees', also: ['/new-bulk-order'] },
      { path: '/configurations', name: 'settings', icon: 'configurations', who: 'sees', also: ['/new-configuration'] },
      {
        path: '/firmware',
        name: 'firmware',
        icon: 'firmware',
        who: 'sees',
        also: ['/firmware-campaigns', '/new-firmware-campaign'],
      },
      {
        path: '/certificates',
        name: 'certificates',
        icon: 'certificates',
        who: 'sees',
        also: ['/certificate-requests'],
      },
      { path: '/monitors', name: 'monitors', icon: 'monitors', who: 'sees', also: ['/new-monitors'] },
    ],
  },
  {
    name: 'system',
    entries: [
      { path: '/webhooks', name: 'webhooks', icon: 'webhooks', who: 'administrator' },
      { path: '/developer/credentials', name: 'credentials', icon: 'credentials', who: 'administrator' },
      { path: '/audit', name: 'audit', icon: 'audit', who: 'administrator' },
      { path: '/nodes', name: 'nodes', icon: 'nodes', who: 'administrator' },
    ],
  },
]

export const OWN: readonly Omit<NavigationEntry, 'icon'>[] = [
  { path: '/account', name: 'account', who: 'anybody' },
  { path: '/applications', name: 'connected', who: 'anybody' },
  { path: '/sign-ins', name: 'signIns', who: 'anybody' },
]
