/** Limits shared by nodes (STORE-R1): buckets that fill with time, and places, by the database's clock. */

import { NOW_MS } from './group.ts'

/** Floating-point tolerance after exactly the seconds of Retry-After. */
const ROUNDING = '1e-6'

/**
 * Takes for many callers, each from all of its buckets or none; rows are locked in one order. `p_back`: put back first.
 * `p_take`, `p_bucket`, `p_tokens`, `p_spare`: a line per bucket and caller, callers from 1, each together; `p_spare`
 * is taken if available. `granted` and `spare` answer the lines, `levels` the buckets.
 */
export const TAKE_TOKENS = `(p_keys text[], p_most float8[], p_per_ms float8[], p_back float8[],
  p_take bigint[], p_bucket bigint[], p_tokens float8[], p_spare float8[],
  OUT levels float8[], OUT granted boolean[], OUT spare float8[]) LANGUAGE plpgsql AS $$
DECLARE
  now_ms bigint := ${NOW_MS};
  lines int := cardinality(p_take);
  line int := 1;
  beyond int;
  of_line int;
  enough boolean;
  more float8;
BEGIN
  INSERT INTO rate_buckets (key, level, at, full_at)
    SELECT x.key, x.most, now_ms, now_ms FROM unnest(p_keys, p_most) AS x(key, most)
    WHERE NOT EXISTS (SELECT 1 FROM rate_buckets AS b WHERE b.key = x.key) ORDER BY 1 ON CONFLICT (key) DO NOTHING;
  PERFORM 1 FROM rate_buckets WHERE key = ANY(p_keys) ORDER BY key FOR UPDATE;
  now_ms := ${NOW_MS};
  SELECT array_agg(CASE WHEN b.key IS NULL THEN x.most ELSE
      least(x.most, b.level + greatest(0, now_ms - b.at) * x.most / x.per_ms + x.back) END ORDER BY x.n) INTO levels
    FROM unnest(p_keys, p_most, p_per_ms, p_back) WITH ORDINALITY AS x(key, most, per_ms, back, n)
    LEFT JOIN rate_buckets AS b ON b.key = x.key;
  granted := array_fill(false, ARRAY[lines]);
  spare := array_fill(0::float8, ARRAY[lines]);
  WHILE line <= lines LOOP
    enough := true;
    beyond := line;
    WHILE beyond <= lines AND p_take[beyond] = p_take[line] LOOP
      enough := enough AND levels[p_bucket[beyond]] + ${ROUNDING} >= p_tokens[beyond];
      beyond := beyond + 1;
    END LOOP;
    IF enough THEN
      FOR of_line IN line .. beyond - 1 LOOP
        more := greatest(0, least(p_spare[of_line], levels[p_bucket[of_line]] - p_tokens[of_line]));
        levels[p_bucket[of_line]] :=
          least(p_most[p_bucket[of_line]], levels[p_bucket[of_line]] - p_tokens[of_line] - more);
        granted[of_line] := true;
        spare[of_line] := more;
      END LOOP;
    END IF;
    line := beyond;
  END LOOP;
  INSERT INTO rate_buckets AS b (key, level, at, full_at)
    SELECT x.key, x.level, now_ms, now_ms + ceil((x.most - x.level) * x.per_ms / x.most)::bigint
    FROM unnest(p_keys, p_most, p_per_ms, levels) AS x(key, most, per_ms, level) ORDER BY 1
    ON CONFLICT (key) DO UPDATE SET level = excluded.level, at = excluded.at, full_at = excluded.full_at;
END $$`

/** The first free or expired place; otherwise all holders. `number`: the taken place. */
export const OCCUPY = `(p_what text, p_most bigint, p_holder text, p_told text, p_lease_ms bigint)
RETURNS TABLE(number bigint, since bigint, told text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  now_ms bigint := ${NOW_MS};
BEGIN
  FOR n IN 0 .. p_most - 1 LOOP
    INSERT INTO limit_places AS p (what, number, holder, since, told, lease_until)
      VALUES (p_what, n, p_holder, now_ms, p_told, now_ms + p_lease_ms)
      ON CONFLICT (what, number) DO UPDATE SET holder = excluded.holder, since = excluded.since, told = excluded.told,
        lease_until = excluded.lease_until
      WHERE p.lease_until <= now_ms;
    IF FOUND THEN
      RETURN QUERY SELECT n::bigint, now_ms, p_told;
      RETURN;
    END IF;
  END LOOP;
  RETURN QUERY SELECT NULL::bigint, p.since, p.told FROM limit_places AS p
    WHERE p.what = p_what AND p.lease_until > now_ms ORDER BY p.since, p.number;
END $$`

/** Renews the leases and texts of held places; restores those lost in a crash. */
export const HOLD = `INSERT INTO limit_places AS p (what, number, holder, since, told, lease_until)
  SELECT x.what, x.number, x.holder, x.since, x.told, ${NOW_MS} + $6::bigint
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[]) AS x(what, number, holder, since, told)
  ORDER BY 1, 2
  ON CONFLICT (what, number) DO UPDATE SET told = excluded.told, lease_until = excluded.lease_until,
    holder = excluded.holder, since = excluded.since
  WHERE p.holder = excluded.holder OR p.lease_until <= ${NOW_MS}`

export const FREE = 'DELETE FROM limit_places WHERE what = $1 AND number = $2 AND holder = $3'

/** Removes full buckets and free places; locked rows are left for the next time. */
export const CLEAR_BUCKETS = `DELETE FROM rate_buckets WHERE key = ANY(ARRAY(
  SELECT key FROM rate_buckets WHERE full_at < ${NOW_MS} ORDER BY key LIMIT 10000 FOR UPDATE SKIP LOCKED))`
export const CLEAR_PLACES = `DELETE FROM limit_places WHERE (what, number) IN (
  SELECT what, number FROM limit_places WHERE lease_until < ${NOW_MS} ORDER BY 1, 2 LIMIT 10000
  FOR UPDATE SKIP LOCKED)`
