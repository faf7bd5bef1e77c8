/** Records of orders (ADMIN-C4), one statement a turn (ADMIN-C6); not serializable, which would conflict on a page. */
import type { Writes } from '../../domain/ports/storage.ts'
import type { AuditEvent } from '../../domain/ports/storage-oidc.ts'
import { gathered } from './connection/gathered.ts'
import type { Pool } from './connection/pool.ts'
import { jsonToDatabase, toDatabase } from './connection/text.ts'

const MOST = 500

// Ids rise in the order of the rows, with other nodes' between them.
const KEEP = `INSERT INTO audit_events (at, kind, account_id, user_id, client_id, grant_id, ip, actor, role, subject, outcome)
  SELECT at, kind, "accountId", "userId", "clientId", "grantId", ip, actor, role, subject, outcome
  FROM json_to_recordset($1) AS x(n bigint, at bigint, kind text, "accountId" text, "userId" text, "clientId" text,
    "grantId" text, ip text, actor text, role text, subject text, outcome text)
  ORDER BY n RETURNING id`
const SET_OUTCOMES = `UPDATE audit_events AS e SET outcome = x.outcome, subject = coalesce(x.subject, e.subject)
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS x(id, outcome, subject) WHERE e.id = x.id AND e.id = ANY($1)`

interface Outcome {
  readonly id: number
  readonly outcome: string
  readonly subject: string | undefined
}

export function orderRecords(pool: Pool): Pick<Writes, 'audit' | 'setAuditOutcome'> {
  const keep = gathered<AuditEvent, number>(async (events) => {
    const rows = jsonToDatabase(events.map((event, n) => ({ n, ...event })))
    const kept = await pool.rows<{ readonly id: number }>(KEEP, [rows])
    return kept.rows.map(({ id }) => id).sort((a, b) => a - b)
  }, MOST)
  const setOutcome = gathered<Outcome, void>(async (outcomes) => {
    const columns = [
      outcomes.map(({ id }) => String(id)),
      outcomes.map(({ outcome }) => outcome),
      outcomes.map(({ subject }) => (subject === undefined ? null : toDatabase(subject))),
    ]
    await pool.rows(SET_OUTCOMES, columns)
    return outcomes.map(() => undefined)
  }, MOST)
  return {
    audit: keep,
    setAuditOutcome: (id, outcome, subject) => setOutcome({ id, outcome, subject }),
  }
}
