/**
 * The scopes of the API (OIDC-C3, OIDC-C11): what an application may have the selected charge points do. A scope that
 * configures, updates or certifies opens endpoints of its own; that for updates alone covers commands as well
 * (INTENT-A10).
 */
import type { SharedCapability } from '../ports/capability.ts'

export const API_SCOPES = {
  'sessions:read': [],
  'chargers:read': [],
  'webhooks:manage': [],
  'chargers:control': ['control'],
  'chargers:configure': [],
  'chargers:firmware': ['firmware'],
  'chargers:certificates': [],
} as const satisfies Readonly<Record<string, readonly SharedCapability[]>>

export type Scope = keyof typeof API_SCOPES

export const API_SCOPE_NAMES = Object.keys(API_SCOPES) as readonly Scope[]
