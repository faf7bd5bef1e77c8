/** STORE-N1: proves the node, then its ownership, then writes: in one statement an owner's change would be missed. */
import { KINDS, nameChargePoints } from './apply.ts'

/** The error code of a refused node; nothing is stored then. */
export const FENCED = 'PW002'
export const NOT_OWNER = 'PW001'
export const KNOWN_SESSIONS = 'PW003'

/** Milliseconds of the database's clock. */
export const NOW_MS = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

/** A node that is silent for this long, by the database's clock, counts as gone. */
export const SILENT_MS = 15_000
/** For the node `n`. */
export const ALIVE = `n.state <> 'fenced' AND ${NOW_MS} - n.seen_at <= ${SILENT_MS}`

/** Checks that each charge point of the group is still this node's. One by one, whatever the planner thinks of them. */
export const OWNED = `SELECT json_agg(x.id) INTO lost FROM unnest(p_charge_points, p_epochs) AS x(id, epoch)
    WHERE (SELECT o.epoch FROM charge_point_owners AS o WHERE o.charge_point = x.id AND o.slot = p_slot
      AND o.incarnation = p_incarnation) IS DISTINCT FROM x.epoch;
  IF lost IS NOT NULL THEN
    RAISE EXCEPTION 'charge points belong to other nodes' USING ERRCODE = '${NOT_OWNER}', DETAIL = lost::text;
  END IF;`

/** An abandoned group has no effect, should it still be on its way (STORE-N2). */
export const FENCE = `
  UPDATE nodes SET last_group = p_group, last_id = greatest(last_id, p_last_id), last_results = NULL,
    seen_at = ${NOW_MS}
  WHERE slot = p_slot AND incarnation = p_incarnation AND last_group < p_group;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this node has been fenced' USING ERRCODE = '${FENCED}';
  END IF;
  ${OWNED}`

const PROOF =
  'p_slot bigint, p_incarnation bigint, p_group bigint, p_last_id bigint, p_charge_points text[], p_epochs bigint[]'

export const commitGroup = (apply: string): string => `(${PROOF}, ${KINDS.map((kind) => `p_${kind} json`).join(', ')})
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE lost json;
BEGIN${FENCE}
  IF p_commands IS NOT NULL THEN${nameChargePoints('p_charge_points')}
  END IF;
  RETURN ${apply}(${KINDS.map((kind) => `p_${kind}`).join(', ')});
END $$`

/** In parts, when one is at fault: it is rolled back alone, and later ones of its charge point are skipped. */
export const commitEach = (apply: string): string => `(${PROOF}, p_sets json) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  lost json;
  one json;
  cp text;
  failed jsonb := '{}';
  results jsonb := '[]';
  due bigint[];
BEGIN${FENCE}
  FOR one IN SELECT * FROM json_array_elements(p_sets) LOOP
    cp := one->>'cp';
    IF failed ? cp THEN
      results := results || jsonb_build_array(failed->cp);
      CONTINUE;
    END IF;
    BEGIN
      IF one->>'error' IS NOT NULL THEN
        RAISE EXCEPTION '%', one->>'error' USING ERRCODE = '22000';
      END IF;
      IF one->'commands' IS NOT NULL THEN${nameChargePoints('ARRAY[cp]')}
      END IF;
      due := ${apply}(${KINDS.map((kind) => `one->'${kind}'`).join(', ')});
      results := results || jsonb_build_array(jsonb_build_object('ok', true, 'due', cardinality(due) > 0));
    EXCEPTION WHEN OTHERS THEN
      IF SQLSTATE !~ '^(22|23|54)' OR SQLERRM LIKE 'no partition of relation%' THEN RAISE; END IF;
      failed := failed || jsonb_build_object(cp, jsonb_build_object('ok', false, 'code', SQLSTATE, 'error', SQLERRM));
      results := results || jsonb_build_array(failed->cp);
    END;
  END LOOP;
  UPDATE nodes SET last_results = results::text WHERE slot = p_slot;
  RETURN results::text;
END $$`

export const TAKES = {
  /** Without a live node. */
  unowned: 0,
  /** Also a live node's without a connection. */
  unconnected: 1,
  /** Everything: its connection is being opened here. */
  all: 2,
} as const
export type Takes = keyof typeof TAKES

/** Takes over (STORE-N8): awaits the former owner's group under way, looks again; that owner finds out by `lost`. */
export const CLAIM = `(p_slot bigint, p_incarnation bigint, p_charge_points text[], p_takes bigint)
RETURNS TABLE(charge_point text, epoch bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  former bigint[];
  claimed text[];
  seen bigint[];
BEGIN
  IF NOT EXISTS (SELECT 1 FROM nodes WHERE slot = p_slot AND incarnation = p_incarnation) THEN
    RAISE EXCEPTION 'this node has been fenced' USING ERRCODE = '${FENCED}';
  END IF;
  INSERT INTO charge_point_owners (charge_point, slot, incarnation, epoch)
    SELECT id, p_slot, p_incarnation, 1 FROM unnest(p_charge_points) AS x(id)
    WHERE NOT EXISTS (SELECT 1 FROM charge_point_owners AS o WHERE o.charge_point = x.id) ORDER BY 1
    ON CONFLICT (charge_point) DO NOTHING;
  LOOP
    SELECT array_agg(DISTINCT o.slot), array_agg(o.charge_point), array_agg(o.connected) INTO former, claimed, seen
      FROM charge_point_owners AS o
      LEFT JOIN nodes AS n ON n.slot = o.slot AND n.incarnation = o.incarnation AND ${ALIVE}
      WHERE o.charge_point = ANY(p_charge_points) AND (o.slot <> p_slot OR o.incarnation <> p_incarnation)
        AND (p_takes = ${TAKES.all} OR n.slot IS NULL OR (p_takes = ${TAKES.unconnected} AND o.connected IS NULL));
    EXIT WHEN former IS NULL;
    PERFORM 1 FROM nodes WHERE slot = ANY(former) AND slot <> p_slot ORDER BY slot FOR UPDATE;
    UPDATE charge_point_owners AS o SET slot = p_slot, incarnation = p_incarnation, epoch = o.epoch + 1,
        connected = NULL
      FROM unnest(claimed, seen) AS w(id, connected)
      WHERE o.charge_point = w.id AND o.connected IS NOT DISTINCT FROM w.connected AND o.slot = ANY(former)
        AND (o.slot <> p_slot OR o.incarnation <> p_incarnation);
    UPDATE nodes SET lost = lost + 1 WHERE slot = ANY(former) AND slot <> p_slot;
  END LOOP;
  IF p_takes = ${TAKES.all} THEN
    UPDATE charge_point_owners AS o SET connected = ${NOW_MS}
      WHERE o.charge_point = ANY(p_charge_points) AND o.slot = p_slot AND o.incarnation = p_incarnation;
  END IF;
  RETURN QUERY SELECT o.charge_point, o.epoch FROM charge_point_owners AS o
    WHERE o.charge_point = ANY(p_charge_points) AND o.slot = p_slot AND o.incarnation = p_incarnation;
END $$`
