/** This version's functions: names contain a digest of the body, so nodes of two versions run beside each other. */
import { createHash } from 'node:crypto'
import { LOADED } from '../../cold/records.ts'
import { RUNNING } from '../../cold/sessions.ts'
import { sqlName } from '../../record-sql.ts'
import { APPLY } from './apply.ts'
import { CLAIM, commitEach, commitGroup } from './group.ts'
import { OCCUPY, TAKE_TOKENS } from './limits.ts'

/** Everything that the core reads, in one round trip for many charge points or questions. */
const newestFirst = (table: string, key: string): string =>
  `SELECT json_agg(r ORDER BY ${key}) FROM ${table} AS r WHERE r.charge_point_id = p.id`

const records = LOADED.map(({ name, key }) => {
  return `'${name}', (${newestFirst(name, key.map((member) => `r.${sqlName(member)}`).join(', '))})`
}).join(', ')

/** A charge point that changed hands keeps its name, not its history, which belongs to its current account. */
const LOAD = `(p_charge_points text[]) RETURNS TABLE(n bigint, loaded json) LANGUAGE sql STABLE AS $$
SELECT x.n, json_build_object('chargePoint', row_to_json(p),
  'status', (SELECT document FROM charge_point_statuses WHERE charge_point_id = p.id),
  'connectors', (SELECT json_agg(c ORDER BY c.evse_id NULLS FIRST, c.connector_id)
    FROM connectors AS c WHERE c.charge_point_id = p.id),
  'transactions', (SELECT json_agg(t ORDER BY t.position) FROM transactions AS t
    JOIN sessions AS s ON s.id = t.session_id
    WHERE t.charge_point_id = p.id AND t.open = 1 AND s.account_id = p.account_id),
  'sessions', (SELECT json_agg(s ORDER BY s.created_at, s.id) FROM sessions AS s WHERE s.account_id = p.account_id
    AND s.id IN (SELECT id FROM sessions WHERE charge_point_id = p.id AND ${RUNNING}
      UNION SELECT id FROM sessions WHERE charge_point_id = p.id AND clock_waits = 1
      UNION SELECT session_id FROM transactions WHERE charge_point_id = p.id AND open = 1)),
  'tariff', (SELECT row_to_json(t) FROM tariffs AS t
    WHERE t.account_id = p.account_id AND (t.charge_point_id = p.id OR t.charge_point_id IS NULL)
    ORDER BY t.charge_point_id IS NULL, t.created_at, t.id LIMIT 1),
  'locations', (SELECT json_agg(l) FROM locations AS l WHERE l.account_id = p.account_id
    AND l.location_id IN (SELECT location_id FROM location_evses WHERE charge_point_id = p.id)),
  'named', (SELECT json_agg(t) FROM tariffs AS t WHERE t.account_id = p.account_id
    AND EXISTS (SELECT 1 FROM location_evses WHERE charge_point_id = p.id)),
  'account', (SELECT row_to_json(a) FROM accounts AS a WHERE a.id = p.account_id),
  'newest', (SELECT c.id FROM commands AS c
    WHERE c.charge_point = (SELECT key FROM log_charge_points WHERE name = p.id) ORDER BY c.id DESC LIMIT 1),
  'records', json_build_object(${records}))
FROM unnest(p_charge_points) WITH ORDINALITY AS x(id, n) JOIN charge_points AS p ON p.id = x.id
$$`

/** In one transaction, so no late commit is missing. Unregistered: no owner; another node's: no epoch. */
const take = (claim: string, load: string): string => `(p_slot bigint, p_incarnation bigint,
  p_charge_points text[], p_takes bigint)
RETURNS TABLE(n bigint, charge_point text, epoch bigint, loaded json) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM ${claim}(p_slot, p_incarnation,
    ARRAY(SELECT id FROM charge_points WHERE id = ANY(p_charge_points) ORDER BY id), p_takes);
  RETURN QUERY SELECT l.n, p_charge_points[l.n], o.epoch, l.loaded
    FROM ${load}(p_charge_points) AS l LEFT JOIN charge_point_owners AS o ON o.charge_point = p_charge_points[l.n]
      AND o.slot = p_slot AND o.incarnation = p_incarnation;
END $$`

/** More than ever begin on one outlet at one time; a hostile station could name one time for all. */
const NEWEST_MOST = 8

const OF_ITS_ACCOUNT = 's.account_id = (SELECT account_id FROM charge_points WHERE id = t.charge_point_id)'
const FOUND = `row_to_json(t), row_to_json(s), NULL::json
      FROM transactions AS t JOIN sessions AS s ON s.id = t.session_id WHERE t.charge_point_id = q.cp AND ${OF_ITS_ACCOUNT}`

/** `n`: index of the answered question. */
const LOOK_UP = `(p_questions json)
RETURNS TABLE(n bigint, transaction json, session json, token json) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  q record;
  o bigint;
  began bigint;
BEGIN
  FOR q IN SELECT * FROM json_to_recordset(p_questions) AS x(n bigint, kind text, cp text, key text, at bigint,
      ids json) LOOP
    CASE q.kind
    WHEN 'number' THEN
      RETURN QUERY SELECT q.n, ${FOUND} AND t.transaction_id = q.key;
    WHEN 'start' THEN
      RETURN QUERY SELECT q.n, ${FOUND} AND t.start_key = q.key ORDER BY t.position DESC LIMIT 1;
    WHEN 'newest' THEN
      o := -1;
      LOOP
        SELECT min(t.outlet) INTO o FROM transactions AS t
          WHERE t.charge_point_id = q.cp AND t.open = 0 AND t.outlet > o;
        EXIT WHEN o IS NULL;
        SELECT coalesce(max(t.occurred_at), q.at) INTO began FROM transactions AS t
          WHERE t.charge_point_id = q.cp AND t.open = 0 AND t.outlet = o AND t.occurred_at < q.at;
        RETURN QUERY SELECT q.n, ${FOUND} AND t.open = 0 AND t.outlet = o AND t.occurred_at BETWEEN began AND q.at
          ORDER BY t.occurred_at DESC LIMIT ${NEWEST_MOST};
      END LOOP;
    WHEN 'overdue number', 'overdue token' THEN
      RETURN QUERY SELECT q.n, NULL::json, row_to_json(s), NULL::json FROM sessions AS s
        WHERE s.charge_point_id = q.cp
          AND (s.overdue_number IS NOT NULL OR s.overdue_token IS NOT NULL)
          AND (CASE WHEN q.kind = 'overdue number' THEN s.overdue_number = q.at
            ELSE lower(s.overdue_token) = lower(q.key) END)
          AND s.account_id = (SELECT account_id FROM charge_points WHERE id = q.cp)
        ORDER BY s.id LIMIT 1;
    WHEN 'session' THEN
      RETURN QUERY SELECT q.n, NULL::json, row_to_json(s), NULL::json FROM sessions AS s WHERE s.id = q.key;
    WHEN 'tokens' THEN
      RETURN QUERY SELECT q.n, NULL::json, NULL::json, row_to_json(i)
        FROM json_array_elements_text(q.ids) WITH ORDINALITY AS x(id, place)
          JOIN id_tokens AS i ON i.account_id = q.cp AND lower(i.id) = lower(x.id COLLATE "C") ORDER BY x.place;
    END CASE;
  END LOOP;
END $$`

function stored(name: string, definition: string) {
  const digest = createHash('sha256').update(definition).digest('hex').slice(0, 10)
  const full = `pilotwire_${name}_${digest}`
  return { name: full, create: `CREATE OR REPLACE FUNCTION ${full} ${definition}` }
}

const apply = stored('apply', APPLY)
const claim = stored('claim', CLAIM)
const load = stored('load', LOAD)

export const FUNCTIONS = {
  apply,
  commitGroup: stored('commit_group', commitGroup(apply.name)),
  commitEach: stored('commit_each', commitEach(apply.name)),
  claim,
  load,
  take: stored('take', take(claim.name, load.name)),
  lookUp: stored('look_up', LOOK_UP),
  takeTokens: stored('take_tokens', TAKE_TOKENS),
  occupy: stored('occupy', OCCUPY),
} as const
