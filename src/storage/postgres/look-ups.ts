/** The look-ups of every request: all questions of a turn are one statement each. */
import { type SQLChunk, sql } from 'drizzle-orm'
import type { Reads } from '../../domain/ports/storage.ts'
import { findChargePoints } from '../cold/charge-points.ts'
import { oidcReads } from '../cold/oidc/reads.ts'
import { list, type Run, type Work, worded } from '../cold/work.ts'
import { credentials, users } from '../schema/accounts.ts'
import { gathered } from './connection/gathered.ts'
import { postgresDialect } from './dialect.ts'

const MAX_AT_ONCE = 500

type LookUps = Pick<Reads, 'findCredential' | 'findUser' | 'findChargePoint' | 'findAccessToken'>

export function gatheredLookUps(run: Run): LookUps {
  const byId = <Found extends { readonly id: string }>(find: (ids: readonly string[]) => Work<readonly Found[]>) =>
    gathered<string, Found | undefined>(async (ids) => {
      const found = new Map((await run(() => find(ids))).map((one) => [one.id, one]))
      return ids.map((id) => found.get(id))
    }, MAX_AT_ONCE)
  const amongIds = (column: SQLChunk, ids: readonly string[]) =>
    worded(postgresDialect.among('?', '?'), column, sql.param(ids))
  const { findAccessToken } = oidcReads(postgresDialect)
  return {
    findCredential: byId((ids) => list(credentials, amongIds(credentials.id, ids))),
    findUser: byId((ids) => list(users, amongIds(users.id, ids))),
    // Several statements: an application's requests with the same token share them.
    findAccessToken: gathered(async (hashes) => {
      const asked = [...new Set(hashes)].map(async (hash) => [hash, await run(() => findAccessToken(hash))] as const)
      const found = new Map(await Promise.all(asked))
      return hashes.map((hash) => found.get(hash))
    }, MAX_AT_ONCE),
    findChargePoint: byId((ids) => findChargePoints(postgresDialect, ids)),
  }
}
