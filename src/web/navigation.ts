/** Where the dashboard leads: one line per entry, in the order of the side bar. */
import type { IconName } from './frame/icons.tsx'
import type { Texts } from './texts.ts'

export interface NavigationEntry {
  /** Below the dashboard; empty: its first page. */
  readonly path: string
  readonly name: (texts: Texts) => string
  readonly icon: IconName
  readonly who: 'anybody' | 'sees' | 'administrator'
  readonly also?: readonly string[]
}

interface NavigationGroup {
  readonly name: (texts: Texts) => string
  readonly entries: readonly NavigationEntry[]
}

/** The groups of the side bar. One of which nobody may see anything is not shown. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    name: ({ groups }) => groups.operate,
    entries: [
      { path: '', name: ({ overview }) => overview, icon: 'overview', who: 'sees' },
      {
        path: '/charge-points',
        name: ({ stations }) => stations,
        icon: 'stations',
        who: 'sees',
        also: ['/new-charge-point'],
      },
      { path: '/charging-sessions', name: ({ sessions }) => sessions, icon: 'sessions', who: 'sees' },
      { path: '/alerts', name: ({ alerts }) => alerts, icon: 'alerts', who: 'sees' },
      { path: '/log', name: ({ log }) => log, icon: 'log', who: 'sees' },
      { path: '/uptime', name: ({ uptime }) => uptime, icon: 'monitors', who: 'sees' },
      { path: '/reports', name: ({ reports }) => reports, icon: 'audit', who: 'sees' },
    ],
  },
  {
    name: ({ groups }) => groups.energy,
    entries: [
      { path: '/sites', name: ({ sites }) => sites, icon: 'sites', who: 'sees' },
      { path: '/limits', name: ({ limits }) => limits, icon: 'limits', who: 'sees' },
      { path: '/tariffs', name: ({ tariffs }) => tariffs, icon: 'tariffs', who: 'sees' },
    ],
  },
  {
    name: ({ groups }) => groups.people,
    entries: [
      { path: '/id-tokens', name: ({ idTokens }) => idTokens, icon: 'cards', who: 'sees' },
      {
        path: '/developer/clients',
        name: ({ applications }) => applications,
        icon: 'applications',
        who: 'administrator',
      },
      { path: '/users', name: ({ users }) => users, icon: 'users', who: 'administrator' },
    ],
  },
  {
    name: ({ groups }) => groups.fleet,
    entries: [
      {
        path: '/bulk-orders',
        name: ({ bulkOrders }) => bulkOrders,
        icon: 'nodes',
        who: 'sees',
        also: ['/new-bulk-order'],
      },
      {
        path: '/configurations',
        name: ({ settings }) => settings,
        icon: 'configurations',
        who: 'sees',
        also: ['/new-configuration'],
      },
      {
        path: '/firmware',
        name: ({ firmware }) => firmware,
        icon: 'firmware',
        who: 'sees',
        also: ['/firmware-campaigns', '/new-firmware-campaign'],
      },
      {
        path: '/certificates',
        name: ({ certificates }) => certificates,
        icon: 'certificates',
        who: 'sees',
        also: ['/certificate-requests'],
      },
      { path: '/monitors', name: ({ monitors }) => monitors, icon: 'monitors', who: 'sees', also: ['/new-monitors'] },
    ],
  },
  {
    name: ({ groups }) => groups.system,
    entries: [
      { path: '/webhooks', name: ({ webhooks }) => webhooks, icon: 'webhooks', who: 'administrator' },
      {
        path: '/developer/credentials',
        name: ({ credentials }) => credentials,
        icon: 'credentials',
        who: 'administrator',
      },
      { path: '/audit', name: ({ audit }) => audit, icon: 'audit', who: 'administrator' },
      { path: '/nodes', name: ({ nodes }) => nodes, icon: 'nodes', who: 'administrator' },
    ],
  },
]

export const OWN: readonly Omit<NavigationEntry, 'icon'>[] = [
  { path: '/account', name: ({ account }) => account, who: 'anybody' },
  { path: '/applications', name: ({ connected }) => connected, who: 'anybody' },
  { path: '/sign-ins', name: ({ signIns }) => signIns, who: 'anybody' },
]
