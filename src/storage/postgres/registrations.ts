/** Others' changes of accounts, charge points, id tokens and tariffs (STORE-N3): counts per writer, polled. */

import { change } from '../cold/work.ts'
import type { Pool } from './connection/pool.ts'
import { type After, repeat } from './connection/repeat.ts'
import { carryOut } from './connection/run-work.ts'
import type { Session } from './connection/session.ts'

/** Effective everywhere within a second. */
const LOOK_EVERY_MS = 400
const KEPT_DAYS = 2

const COUNT = `INSERT INTO registration_changes AS r (writer, changes, at)
  VALUES (?, 1, (extract(epoch FROM now()) * 1000)::bigint)
  ON CONFLICT (writer) DO UPDATE SET changes = r.changes + 1, at = excluded.at`
const CLEAR = `DELETE FROM registration_changes WHERE at < (extract(epoch FROM now()) * 1000)::bigint - ${KEPT_DAYS * 86_400_000}`
const OTHERS = `SELECT coalesce(sum(changes), 0)::text || ' ' || coalesce(max(at), 0)::text
  FROM registration_changes WHERE writer <> $1`

export interface RegistrationWatch {
  version(): number
  count(session: Session): Promise<void>
  close(): void
}

export function watchRegistrations(pool: Pool, writer: string, after: After): RegistrationWatch {
  let version = 0
  let seen: string | undefined

  // While it is away nothing changes; other changes are seen when it is back.
  const look = async (): Promise<void> => {
    const others = await pool.value<string>(OTHERS, [writer])
    if (seen !== undefined && others !== seen) version++
    seen = others
  }
  void look().catch(() => undefined)
  // Not with a change: reading all rows in a serializable transaction would conflict with every writer.
  void pool.use((session) => carryOut(session, change(CLEAR))).catch(() => undefined)

  return {
    version: () => version,
    count: async (session) => {
      await carryOut(session, change(COUNT, [writer]))
    },
    close: repeat(after, LOOK_EVERY_MS, look),
  }
}
