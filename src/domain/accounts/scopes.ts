/**
 * The scopes of the API, declared once: what each lets an application have a charge point do when it sends a command
 * (OIDC-C11), and that the user selects the charge points it reaches (OIDC-C3). Their texts stand in web/texts.ts. A
 * scope that configures, updates or certifies charge points opens endpoints of its own; that for updates alone covers
 * commands as well (INTENT-A10).
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
