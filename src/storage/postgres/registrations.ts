/**
 * Changes of accounts, charge points, id tokens and tariffs by others (STORE-N3): each writer counts its own, and looks
 * at the counts of the others twice a second.
 */

import { change } from '../cold/work.ts'
import type { Pool } from './connection/pool.ts'
import { carryOut } from './connection/run-work.ts'
import type { Session } from './connection/session.ts'

/** In force everywhere within a second. */
const LOOK_EVERY_MS = 400
/** Of writers that are gone. */
const KEPT_DAYS = 2

const COUNT = `INSERT INTO registration_changes AS r (writer, changes, at)
  VALUES (?, 1, (extract(epoch FROM now()) * 1000)::bigint)
  ON CONFLICT (writer) DO UPDATE SET changes = r.changes + 1, at = excluded.at`
const CLEAR = `DELETE FROM registration_changes WHERE at < (extract(epoch FROM now()) * 1000)::bigint - ${KEPT_DAYS * 86_400_000}`
const OTHERS = `SELECT coalesce(sum(changes), 0)::text || ' ' || coalesce(max(at), 0)::text
  FROM registration_changes WHERE writer <> $1`

export interface RegistrationWatch {
  /** Rises when others have changed something. */
  version(): number
  /** Within the transaction of a change of our own. */
  count(session: Session): Promise<void>
  close(): void
}

export function watchRegistrations(
  pool: Pool,
  writer: string,
  after: (ms: number, run: () => void) => () => void,
): RegistrationWatch {
  let version = 0
  let seen: string | undefined
  let isClosed = false
  let cancel = (): void => undefined

  const look = async (): Promise<void> => {
    try {
      const others = await pool.value<string>(OTHERS, [writer])
      if (seen !== undefined && others !== seen) version++
      seen = others
    } catch {
      // While it is away nobody changes anything; what was changed by another way is seen when it is back.
    }
    if (!isClosed) cancel = after(LOOK_EVERY_MS, () => void look())
  }
  void look()
  // Not with a change: whoever reads all rows in a serialisable transaction is in the way of every other writer.
  void pool.use((session) => carryOut(session, change(CLEAR))).catch(() => undefined)

  return {
    version: () => version,
    count: async (session) => {
      await carryOut(session, change(COUNT, [writer]))
    },
    close: () => {
      isClosed = true
      cancel()
    },
  }
}
