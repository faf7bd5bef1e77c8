import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'

/** CERT-C12: of the installation, or else of the account; as long as a certificate can name it. */
export function organizationOf({ settings }: Pick<CoreContext, 'settings'>, { accountName }: Station): string {
  return (settings.organization ?? accountName).slice(0, 64)
}
