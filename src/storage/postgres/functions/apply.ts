/** A group's changes in one call, a statement per table; of several versions of a document the last one. */
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Declaration } from '../../../domain/records/record.ts'
import { RECORDS } from '../../../domain/records/records.ts'
import { eventWords } from '../../cold/webhooks/record-event.ts'
import { conflictSql, sqlColumns, sqlName } from '../../record-sql.ts'
import { idTokens } from '../../schema/accounts.ts'
import { chargePointStatuses, connectors } from '../../schema/charge-points.ts'
import { sessions, transactions } from '../../schema/sessions.ts'
import { settlements } from '../../schema/webhooks.ts'
import { postgresDialect } from '../dialect.ts'

/** An event and all it causes, in the transaction of the message that caused it (HOOK-F3). */
const { columns, values, chosen } = eventWords(postgresDialect)
const DELIVER = `INSERT INTO webhook_deliveries (${columns}) SELECT ${values}
  FROM webhook_subscriptions AS s WHERE s.account_id = event.account_id AND s.status <> 'revoked'`

const COLUMNS = `(at bigint, id text, account_id text, session_id text, charge_point_id text, kind text, time bigint,
      body text, causes text, type text, now bigint, order_key text, coalesce_key text, replaces boolean, also_to json)`

/** Assigns places in the feed in list order, for all of them at once. */
const STORE = `
  first_place := pilotwire_event_position();
  INSERT INTO events (id, account_id, session_id, charge_point_id, kind, time, body, causes, type, position)
    SELECT e.id, e.account_id, e.session_id, e.charge_point_id, e.kind, e.time, e.body, e.causes, e.type, first_place + e.n - 1
    FROM ROWS FROM (json_to_recordset(p_events) AS (id text, account_id text, session_id text, charge_point_id text,
      kind text, time bigint, body text, causes text, type text)) WITH ORDINALITY
      AS e(id, account_id, session_id, charge_point_id, kind, time, body, causes, type, n);
  GET DIAGNOSTICS delivered = ROW_COUNT;
  said_place := current_setting('pilotwire.event');
  PERFORM set_config('pilotwire.event',
    split_part(said_place, ' ', 1) || ' ' || split_part(said_place, ' ', 2)::bigint + delivered - 1, true);`

/** One by one, as a second event replaces the first's figures (HOOK-M4); skipped where no account has a webhook. */
const EVENT_LOOP = `${STORE}
  IF EXISTS (SELECT 1 FROM webhook_subscriptions) THEN
  FOR event IN SELECT * FROM json_to_recordset(p_events) AS e${COLUMNS} LOOP
    CONTINUE WHEN NOT EXISTS (SELECT 1 FROM webhook_subscriptions WHERE account_id = event.account_id);
    IF event.replaces THEN
      UPDATE webhook_deliveries SET state = 'superseded', finished_at = event.now
      WHERE state = 'pending' AND kind = 'figures' AND session_id = event.session_id AND attempts = 0
        AND type = event.type AND coalesce_key IS NOT DISTINCT FROM event.coalesce_key;
    END IF;
    ${DELIVER} AND ${chosen};
    GET DIAGNOSTICS delivered = ROW_COUNT;
    IF event.also_to IS NOT NULL THEN
      ${DELIVER} AND s.grant_id IS NULL AND NOT (${chosen})
        AND s.id IN (SELECT json_array_elements_text(event.also_to));
      GET DIAGNOSTICS more = ROW_COUNT;
      delivered := delivered + more;
    END IF;
    IF delivered > 0 THEN due := due || event.at; END IF;
  END LOOP;
  END IF;`

/** Parameters, all JSON lists but `records`; NULL for absent kinds. */
export const KINDS = [
  'commands',
  'answers',
  'statuses',
  'connectors',
  'transactions',
  'new_sessions',
  'sessions',
  'slots',
  'id_tokens',
  'settlements',
  'events',
  'records',
] as const

export type Kind = (typeof KINDS)[number]

/** Numbers the names in `names`, a list of texts in SQL, that are new to the log; most groups have none. */
export const nameChargePoints = (names: string): string => `
  INSERT INTO log_charge_points (name)
    SELECT x.cp FROM unnest(${names}) AS x(cp)
    WHERE (SELECT key FROM log_charge_points WHERE name = x.cp) IS NULL ORDER BY 1 ON CONFLICT (name) DO NOTHING;`

/** The texts of a group's commands are most of its data: they are read once. */
const COMMANDS = `
  INSERT INTO commands (id, charge_point, direction, method, message_id, protocol, connector_id, evse_id,
    transaction_id, status, request, response, error, answered_at, schema_errors, transaction_number,
    transaction_text, has_schema_errors)
  SELECT c.id, (SELECT key FROM log_charge_points WHERE name = c.cp), c.direction, c.method, c.message_id, c.protocol,
    c.connector_id, c.evse_id, c.transaction_id, c.status, c.request, c.response, c.error, c.answered_at,
    c.schema_errors, c.transaction_number, c.transaction_text, CASE WHEN c.schema_errors IS NULL THEN 0 ELSE 1 END
  FROM json_to_recordset(p_commands) AS c(id bigint, cp text, direction bigint, method bigint, message_id text,
    protocol bigint, connector_id double precision, evse_id double precision, transaction_id text, status bigint,
    request text, response text, error text, answered_at bigint, schema_errors text, transaction_number bigint,
    transaction_text text);`

/** Ignores rows that retention removed meanwhile. */
const ANSWERS = `
  UPDATE commands SET status = a.status, response = a.response, error = a.error, answered_at = a.answered_at,
    schema_errors = a.schema_errors, has_schema_errors = CASE WHEN a.schema_errors IS NULL THEN 0 ELSE 1 END,
    transaction_id = coalesce(a.transaction_id, commands.transaction_id),
    transaction_number =
      CASE WHEN a.transaction_id IS NULL THEN commands.transaction_number ELSE a.transaction_number END,
    transaction_text = CASE WHEN a.transaction_id IS NULL THEN commands.transaction_text ELSE a.transaction_text END
  FROM json_to_recordset(p_answers) AS a(id bigint, cp text, status bigint, response text, error text,
      answered_at bigint, schema_errors text, transaction_id text, transaction_number bigint, transaction_text text)
    JOIN log_charge_points ON log_charge_points.name = a.cp
  WHERE commands.charge_point = log_charge_points.key AND commands.id = a.id;`

/** Writes the rows of a kind, but columns that never change; `changed`: what becomes of some of them. */
function upsert(
  table: SQLiteTable,
  kind: Kind,
  {
    key,
    kept = [],
    added = [],
    changed = {},
    where = '',
  }: {
    readonly key: string
    readonly kept?: readonly string[]
    /** Columns that only PostgreSQL has. */
    readonly added?: readonly string[]
    readonly changed?: Readonly<Record<string, string>>
    readonly where?: string
  },
): string {
  const names = [...getTableConfig(table).columns.map(({ name }) => name), ...added]
  const changing = names.filter((name) => !kept.includes(name) && !key.split(', ').includes(name))
  return `${insertAll(table, kind, added)} ${where}
  ON CONFLICT (${key}) DO UPDATE SET ${changing.map((name) => `${name} = ${changed[name] ?? `excluded.${name}`}`).join(', ')};`
}

const insertAll = (table: SQLiteTable, kind: Kind, added: readonly string[] = []): string => {
  const { name, columns } = getTableConfig(table)
  const names = [...columns.map((column) => column.name), ...added].join(', ')
  return `
  INSERT INTO ${name} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${name}, p_${kind}) AS r`
}

/** A deleted charge point's status and connectors must not wait for the next owner of its name. */
const WHILE_REGISTERED = 'WHERE EXISTS (SELECT 1 FROM charge_points WHERE charge_points.id = r.charge_point_id)'

const STATUSES = upsert(chargePointStatuses, 'statuses', { key: 'charge_point_id', where: WHILE_REGISTERED })

const CONNECTORS = upsert(connectors, 'connectors', {
  key: 'charge_point_id, connector_key',
  kept: ['evse_id', 'connector_id'],
  changed: {
    since: `CASE WHEN connectors.status = excluded.status
        AND connectors.error_code IS NOT DISTINCT FROM excluded.error_code
      THEN nullif(coalesce(connectors.since, connectors.updated_at), excluded.updated_at) END`,
  },
  where: WHILE_REGISTERED,
})

const TRANSACTIONS = upsert(transactions, 'transactions', {
  key: 'charge_point_id, transaction_id',
  added: ['outlet', 'occurred_at'],
})

/** The node knows of no such row: if there is one, its energy must be read before more is counted. */
const NEW_SESSIONS = `
  IF EXISTS (SELECT 1 FROM json_to_recordset(p_new_sessions) AS s(id text) JOIN sessions ON sessions.id = s.id) THEN
    RAISE EXCEPTION 'sessions are known already' USING ERRCODE = 'PW003';
  END IF;`

const SESSIONS = upsert(sessions, 'sessions', {
  key: 'id',
  kept: ['account_id', 'charge_point_id', 'created_at'],
  added: ['overdue_number', 'overdue_token', 'clock_waits'],
})

/** In a fixed order, so that no two nodes wait for each other. */
const SLOTS = `
  INSERT INTO energy_slots (account_id, slot, milli_wh)
  SELECT e.account_id, e.slot, e.milli_wh FROM json_populate_recordset(NULL::energy_slots, p_slots) AS e ORDER BY 1, 2
  ON CONFLICT (account_id, slot) DO UPDATE SET milli_wh = energy_slots.milli_wh + excluded.milli_wh;`

const ID_TOKENS = upsert(idTokens, 'id_tokens', {
  key: 'account_id, lower(id)',
  kept: ['id', 'created_at', 'session_limits', 'budget', 'priority', 'language', 'tariff_id'],
})

const SETTLEMENTS = `${insertAll(settlements, 'settlements')};`

/** Each key's last change of the group: written or removed. Each kind scans the group's text at most once. */
const records = (): string => `
  FOR of_kind, change IN SELECT * FROM json_each(p_records) LOOP
    CASE of_kind${RECORDS.map(recordsOf).join('')}
    END CASE;
  END LOOP;`

function recordsOf(declaration: Declaration): string {
  const { name, key } = declaration
  const columns = sqlColumns(declaration).map((column) => column.name)
  const keys = key.map(sqlName)
  // Several nodes add to sums: in a fixed order, so that no two wait for each other.
  const order = Object.values(declaration.columns).some(({ isSum }) => isSum) ? ` ORDER BY ${keys.join(', ')}` : ''
  const of = (what: string): string => `json_populate_recordset(NULL::${name}, change->'${what}')`
  return `
    WHEN '${name}' THEN
      IF change->'removed' IS NOT NULL THEN
        DELETE FROM ${name} USING ${of('removed')} AS r
        WHERE ${keys.map((one) => `${name}.${one} = r.${one}`).join(' AND ')};
      END IF;
      IF change->'put' IS NOT NULL THEN
        INSERT INTO ${name} (${columns.join(', ')}) SELECT ${columns.map((one) => `r.${one}`).join(', ')}
        FROM ${of('put')} AS r${order} ON CONFLICT (${keys.join(', ')}) ${conflictSql(declaration)};
      END IF;`
}

const BODIES: Readonly<Record<Kind, string>> = {
  commands: COMMANDS,
  answers: ANSWERS,
  statuses: STATUSES,
  connectors: CONNECTORS,
  transactions: TRANSACTIONS,
  new_sessions: NEW_SESSIONS,
  sessions: SESSIONS,
  slots: SLOTS,
  id_tokens: ID_TOKENS,
  settlements: SETTLEMENTS,
  events: EVENT_LOOP,
  records: records(),
}

/** Returns the positions in the group of sets whose events have deliveries. */
export const APPLY = `(${KINDS.map((kind) => `p_${kind} json`).join(', ')}) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  due bigint[] := '{}';
  event record;
  delivered bigint;
  more bigint;
  of_kind text;
  change json;
  first_place bigint;
  said_place text;
BEGIN${KINDS.map((kind) => `\n  IF p_${kind} IS NOT NULL THEN${BODIES[kind]}\n  END IF;`).join('')}
  RETURN due;
END $$`
