/** An event and all it causes, in the transaction of the message that caused it (HOOK-F3). */
import { eventWords } from '../../cold/webhooks/record-event.ts'
import { postgresDialect } from '../dialect.ts'

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
export const EVENT_LOOP = `${STORE}
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
