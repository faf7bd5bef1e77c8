import { preferencesOf, textPreference } from '../../application/users/preferences.ts'
import { may } from '../../domain/accounts/roles.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { isTimeZone } from '../../domain/time-zone.ts'
import { MAX_ALERTS } from '../../web/frame/head.tsx'
import type { Person } from '../../web/site.ts'
import { isLanguage } from '../../web/texts.ts'
import type { OidcDependencies, Visitor } from '../provider.ts'

const MAX_INSPECTED = 500

export async function personOf(
  { reads, config }: Pick<OidcDependencies, 'reads' | 'config'>,
  { user }: Pick<Visitor, 'user'>,
): Promise<Person> {
  const [preferences, openAlerts, counts] = await Promise.all([
    preferencesOf(reads, user.id),
    may(user.role, 'see') ? openAlertsOf(reads, user.accountId) : 0,
    may(user.role, 'see') ? countsOf(reads, user.accountId) : {},
  ])
  const language = textPreference(preferences, 'language')
  const timeZone = textPreference(preferences, 'timeZone')
  return {
    ...(isLanguage(language) && { language }),
    timeZone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : config.timeZone,
    openAlerts,
    counts,
  }
}

/** How long the lists of the side bar are (CONSOLE-F9), by their addresses below the dashboard. */
async function countsOf(
  reads: Pick<Reads, 'countAccount' | 'countRecords'>,
  accountId: string,
): Promise<Readonly<Record<string, number>>> {
  const where = { accountId }
  const running = { accountId, state: 'running' } as const
  const [of, groups, campaigns] = await Promise.all([
    reads.countAccount(accountId),
    reads.countRecords('limit_groups', { where, limit: MAX_INSPECTED }),
    reads.countRecords('firmware_campaigns', { where: running, limit: MAX_INSPECTED }),
  ])
  return {
    '/charge-points': of.chargePoints,
    '/charging-sessions': of.runningSessions,
    '/id-tokens': of.idTokens,
    '/limits': groups,
    '/tariffs': of.tariffs,
    '/developer/clients': of.clients,
    '/users': of.users,
    '/firmware': campaigns,
    '/webhooks': of.webhooks,
    '/developer/credentials': of.credentials,
  }
}

async function openAlertsOf(reads: Pick<Reads, 'listRecords'>, accountId: string): Promise<number> {
  const on = await reads.listRecords('alerts', { where: { accountId, state: 'raised' }, limit: MAX_INSPECTED })
  if (on.length === 0) return 0
  const where = { accountId, alertId: { in: on.map(({ id }) => id) } } as const
  const taken = await reads.listRecords('alert_acknowledgements', { where, limit: MAX_INSPECTED })
  return Math.min(on.length - taken.length, MAX_ALERTS + 1)
}
