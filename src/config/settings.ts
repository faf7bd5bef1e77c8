/** The table of settings (SERVER-A1). Defaults see earlier rows; bounds of timers stay below Node's 24.8 days. */
import type { Setting } from './setting.ts'
import { alertSettings } from './settings-alerts.ts'
import { authSettings } from './settings-auth.ts'
import { certificateSettings } from './settings-certificates.ts'
import { ocppSettings } from './settings-ocpp.ts'
import { serverSettings } from './settings-server.ts'
import { ssoSettings } from './settings-sso.ts'
import { webhookSettings } from './settings-webhooks.ts'

/** Every setting by its member of `Settings`, in order. @example settingsTable.port.name === 'PILOTWIRE_PORT' */
export const settingsTable = {
  ...serverSettings,
  ...ocppSettings,
  ...certificateSettings,
  ...authSettings,
  ...ssoSettings,
  ...webhookSettings,
  ...alertSettings,
}

/** Headings of the generated documentation. */
export const settingGroups: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'Server and data': serverSettings,
  'Charge points': ocppSettings,
  'Certificates of charge points': certificateSettings,
  'Sign-in, tokens and API': authSettings,
  "Sign-in by your company's provider": ssoSettings,
  Webhooks: webhookSettings,
  'Alerts and mail': alertSettings,
}

/** A row whose value type is forgotten: what loops over the table need. */
export type AnySetting = Setting<unknown>

/** The rows in table order. */
export const settingRows = Object.entries(settingsTable) as readonly [keyof typeof settingsTable, AnySetting][]

/** Variables that our own clients read; they belong to no server setting and are not warned about. */
export const clientVariables: readonly string[] = ['PILOTWIRE_API_CREDENTIAL', 'PILOTWIRE_WEBHOOK_SECRET']
