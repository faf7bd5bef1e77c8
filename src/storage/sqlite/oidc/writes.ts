import type { Database } from 'better-sqlite3'
import type { OidcWrites } from '../../../ports/storage-oidc.ts'
import { clientWrites } from './client-writes.ts'
import { grantWrites } from './grant-writes.ts'
import { loginWrites } from './login-writes.ts'
import { orm } from './rows.ts'
import { upkeepWrites } from './upkeep-writes.ts'

export function oidcWrites(client: Database): OidcWrites {
  const db = orm(client)
  return {
    ...clientWrites(client, db),
    ...loginWrites(client, db),
    ...grantWrites(client, db),
    ...upkeepWrites(client, db),
  }
}
