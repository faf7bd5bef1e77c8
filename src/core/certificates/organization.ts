import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'

/** CERT-C12: the installation's name, else the account's, if it fits into a certificate. */
export function organizationOf({ settings }: Pick<CoreContext, 'settings'>, { accountName }: Station): string {
  return (settings.organization ?? accountName).slice(0, 64)
}
