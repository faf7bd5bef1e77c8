import { may } from '../../domain/accounts/roles.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import { rootOf } from '../../web/site.ts'
import type { Provider } from '../provider.ts'

/** Where people land who came for no page in particular: members have their applications and no console (ADMIN-A1). */
export function homeOf(provider: Pick<Provider, 'config' | 'pages'>, user?: Pick<User, 'role'>): string {
  const sees = user === undefined || may(user.role, 'see')
  return rootOf(provider) + ((sees ? provider.pages?.home : undefined) ?? '/applications') || '/'
}
