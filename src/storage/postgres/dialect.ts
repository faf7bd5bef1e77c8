import type { Dialect } from '../cold/work.ts'

const BYTES = 'COLLATE "C"'
/** A nested member is named with a dot. */
const member = (document: string, name: string): string => `((${document})::json #>> '{${name.replaceAll('.', ',')}}')`
/** Case of any script, and accents composed or not. */
const folded = (text: string): string => `lower(normalize(${text}, NFC) COLLATE "und-x-icu")`

export const postgresDialect: Dialect = {
  among: (column, parameter) => `${column} = ANY(${parameter}::text[])`,
  caseless: (text) => `lower(${text} ${BYTES})`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  anyContains: (parameter, columns) =>
    `(${columns.map((column) => `strpos(${folded(column)}, ${folded(`${parameter}::text`)}) > 0`).join(' OR ')})`,
  least: (...values) => `least(${values.join(', ')})`,
  greatest: (...values) => `greatest(${values.join(', ')})`,
  textMember: member,
  memberNamed: (document, name) => `(${document})::json ->> ${name}`,
  numberMember: (document, name) => `${member(document, name)}::double precision`,
  numberAt: (list, place) => `${member(list, String(place))}::double precision`,
  hasMember: (document, key, value) => `((${document})::json ->> ${key}) = ${value}`,
  holds: (list, value) => `jsonb_exists((${list})::jsonb, ${value})`,
  by: () => '',
  searched: 'commands',
  newDeliveryId: `'dlv_' || replace(gen_random_uuid()::text, '-', '')`,
  feed: { place: 'position', settled: 'position < pilotwire_events_settled()' },
  lockClaims: { sql: 'SELECT pg_advisory_xact_lock(482670210167)', values: [], rows: 'objects' },
  lockFirstStart: { sql: 'SELECT pg_advisory_xact_lock(482670210168)', values: [], rows: 'objects' },
}
