/** Id tokens of an account; their ids compare without ASCII case (TOKEN-Z1). */
import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { createEmission, followingEventId } from '../../domain/events/emission.ts'
import type { Location, LocationEvseState } from '../../domain/locations/records.ts'
import { TARIFF_CHANGED } from '../../domain/partners/records.ts'
import type { FrozenTariff } from '../../domain/ports/sessions.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import type { Tariff, WebhookReads, WebhookWrites } from '../../domain/ports/storage-webhooks.ts'
import type { RecordPut } from '../../domain/records/records.ts'
import { memberOf } from '../../domain/resources/field.ts'
import { fields, placeOfTariff, rates } from '../../domain/tariffs/fields.ts'
import { placesOf, type TariffLocation } from '../../domain/tariffs/places.ts'
import { withTaxPercent } from '../../domain/tax.ts'
import { columnsOf, present, readRow } from '../rows/present.ts'
import { idTokens } from '../schema/accounts.ts'
import { tariffs } from '../schema/webhooks.ts'
import { recordReads, writeRecord } from './records.ts'
import { eventWork } from './webhooks/record-event.ts'
import {
  build,
  change,
  type Dialect,
  find,
  first,
  insertNew,
  list,
  type Operations,
  remove,
  rows,
  updated,
  value,
  type Work,
  worded,
} from './work.ts'

export function idTokenReads({ caseless, contains }: Dialect) {
  const own = ownIdToken(caseless)
  const place = worded(caseless('?'), idTokens.id)
  return {
    findIdToken: (accountId, id) => find(idTokens, own(accountId, id)),
    *listIdTokens(accountId, { afterId, limit }, containing) {
      const found = yield* rows(
        build
          .select()
          .from(idTokens)
          .where(
            and(
              eq(idTokens.accountId, accountId),
              afterId === undefined ? undefined : gt(place, worded(caseless('?'), sql`${afterId}`)),
              containing === undefined
                ? undefined
                : worded(contains('lower(?)', 'lower(?)'), idTokens.id, sql`${containing}`),
            ),
          )
          .orderBy(place)
          .limit(limit),
      )
      return found.map(present)
    },
  } satisfies Partial<Operations<Reads>>
}

interface Attributes {
  readonly type: string
  readonly status: string
  readonly expiresAt: number | null
  readonly groupId: string | null
}

const ATTRIBUTES = ['type', 'status', 'expiresAt', 'groupId'] as const

function named(attributes: Attributes, columns: readonly string[]): Partial<Attributes> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => columns.includes(name)))
}

const ADD = `INSERT INTO id_tokens (type, status, expires_at, group_id, created_at, account_id, id)
  VALUES (?, ?, ?, ?, ?, ?, ?)`

export function idTokenWrites({ caseless }: Dialect) {
  const own = ownIdToken(caseless)
  // Unchanged cards are not written: thousands are one transaction, and messages wait for it.
  const itself = `account_id = ? AND ${caseless('id')} = ${caseless('?')}`
  const known = `SELECT type, status, expires_at AS "expiresAt", group_id AS "groupId" FROM id_tokens WHERE ${itself}`
  const alter = `UPDATE id_tokens SET type = ?, status = ?, expires_at = ?, group_id = ? WHERE ${itself}`
  return {
    *importIdTokens(tokens, columns) {
      let created = 0
      let changes = 0
      for (const { accountId, id, type, status, expiresAt = null, groupId = null, createdAt } of tokens) {
        const before = yield* first<Attributes>(known, [accountId, id])
        if (!before) {
          yield* change(ADD, [type, status, expiresAt, groupId, createdAt, accountId, id])
          created++
          continue
        }
        const after = { ...before, ...named({ type, status, expiresAt, groupId }, columns) }
        if (ATTRIBUTES.every((name) => before[name] === after[name])) continue
        yield* change(alter, [after.type, after.status, after.expiresAt, after.groupId, accountId, id])
        changes++
      }
      return { created, changed: changes }
    },
    *createIdToken(token) {
      return (yield* insertNew(idTokens, token)) ? 'created' : 'exists'
    },
    updateIdToken: (accountId, id, asked) => updated(idTokens, { accountId, ...asked }, own(accountId, id)),
    *deleteIdToken(accountId, id) {
      return (yield* remove(idTokens, own(accountId, id))) === 1
    },
  } satisfies Partial<Operations<Writes>>
}

function ownIdToken(caseless: Dialect['caseless']): (accountId: string, id: string) => SQL | undefined {
  const word = caseless('?')
  return (accountId, id) =>
    and(eq(idTokens.accountId, accountId), eq(worded(word, idTokens.id), worded(word, sql`${id}`)))
}

const IN_FORCE = `SELECT ${columnsOf(tariffs)} FROM tariffs
  WHERE account_id = ? AND (charge_point_id = ? OR charge_point_id IS NULL) ORDER BY charge_point_id IS NULL, created_at, id LIMIT 1`
const FROZEN = ['tariffId', 'version', ...Object.entries(rates).map((rate) => memberOf(...rate))]
/** Every member that a tariff may lack. */
const NONE_OF_THEM = Object.fromEntries(
  Object.entries(fields).flatMap(([name, field]) => ('added' in field ? [[memberOf(name, field), null]] : [])),
)
const own = (accountId: string, id: string): SQL | undefined =>
  and(eq(tariffs.accountId, accountId), eq(tariffs.tariffId, id))

export function tariffWrites(dialect: Dialect) {
  const tell = eventWork(dialect)
  const reported = (tariff: Tariff): Work<void> => reportToPartners(tell, tariff)
  return {
    *createTariff(tariff) {
      if (!(yield* insertNew(tariffs, tariff))) return 'exists'
      yield* keepVersion(tariff)
      yield* reported(tariff)
      return 'created'
    },
    *updateTariff(accountId, id, values, at, isWhole = false) {
      const changed = { ...(isWhole && NONE_OF_THEM), ...values, version: sql`version + 1`, updatedAt: at }
      const tariff = yield* updated(tariffs, changed, own(accountId, id))
      if (!tariff) return undefined
      yield* keepVersion(tariff)
      yield* reported(tariff)
      return tariff
    },
    *deleteTariff(accountId, id, at) {
      const known: Tariff | undefined = yield* find(tariffs, own(accountId, id))
      if (!known || (yield* remove(tariffs, own(accountId, id))) !== 1) return false
      const gone = { ...known, version: known.version + 1, updatedAt: at }
      const next = known.chargePointId === undefined ? yield* defaultOf(accountId) : undefined
      if (next && isOlder(known, next)) yield* put('', { ...next, updatedAt: at })
      if (next) yield* put(placeOfTariff(id), gone, false)
      else yield* keepVersion(gone, false)
      yield* reported(gone)
      return true
    },
  } satisfies Partial<Operations<WebhookWrites>>
}

const HAS_PARTNERS = 'SELECT 1 FROM webhook_subscriptions WHERE account_id = ? AND partner_id IS NOT NULL LIMIT 1'
const emission = createEmission({ figuresIntervalMs: 0 }, followingEventId)

/** OCPI-A2: with the change, also of the command line. */
function* reportToPartners(
  tell: ReturnType<typeof eventWork>,
  { accountId, tariffId, version, updatedAt }: Tariff,
): Work<void> {
  if ((yield* value(HAS_PARTNERS, [accountId])) === undefined) return
  const said = { type: TARIFF_CHANGED, subject: tariffId, orderKey: `tariff ${tariffId}`, data: { tariffId } }
  const event = emission.ofDecision(said, { accountId, chargePointId: '' }, updatedAt, version)
  yield* tell({ ...event, causes: [] })
}

export const tariffReads = {
  *listTariffs(accountId) {
    const all = yield* list(tariffs, eq(tariffs.accountId, accountId), tariffs.tariffId)
    const first = all.filter(({ chargePointId }) => chargePointId === undefined).sort(byAge)[0]
    return all.map((one) => (one === first ? { ...one, isDefault: 1 } : one))
  },
  *findTariff(accountId, id) {
    const found: Tariff | undefined = yield* find(tariffs, own(accountId, id))
    if (!found || found.chargePointId !== undefined) return found
    const first = yield* defaultOf(accountId)
    return first?.tariffId === id ? { ...found, isDefault: 1 } : found
  },
} satisfies Partial<Operations<WebhookReads>>

/** COST-L7 */
function* keepVersion(tariff: Tariff, isInForce = true): Work<void> {
  const { accountId, chargePointId } = tariff
  if (chargePointId !== undefined) return yield* put(chargePointId, tariff, isInForce)
  const first = yield* defaultOf(accountId)
  if (!first || !isOlder(first, tariff)) yield* put('', tariff, isInForce)
  yield* put(placeOfTariff(tariff.tariffId), tariff, isInForce)
}

function* put(place: string, tariff: Tariff, isInForce = true): Work<void> {
  const { accountId, updatedAt: since } = tariff
  const { tariffId, version, ...frozen } = ratesIn(tariff)
  const kept = { accountId, place, since, version, tariffId, rates: isInForce ? frozen : undefined }
  yield* writeRecord({ kind: 'tariff_versions', put: kept })
}

/** Of those without a charge point the one that was made first. */
function* defaultOf(accountId: string): Work<Tariff | undefined> {
  const found = yield* first<object>(IN_FORCE, [accountId, ''])
  return found && (readRow(tariffs, found) as Tariff)
}

function byAge(a: Pick<Tariff, 'createdAt' | 'tariffId'>, b: Pick<Tariff, 'createdAt' | 'tariffId'>): number {
  return a.createdAt - b.createdAt || (a.tariffId < b.tariffId ? -1 : 1)
}
const isOlder = (a: Tariff, b: Tariff): boolean => a.tariffId !== b.tariffId && byAge(a, b) < 0

/** The charge point's own tariff, else its account's (COST-L1), as a session keeps it. */
export function* tariffInForce(accountId: string, chargePointId: string): Work<FrozenTariff | undefined> {
  const found = yield* first<object>(IN_FORCE, [accountId, chargePointId])
  return found && frozenTariff(found)
}

/** What the connectors of its locations name (TARIFF-A1). @param loaded the records of the charge point */
export function* placesLoadedWith(
  accountId: string,
  loaded: readonly RecordPut[],
): Work<readonly TariffLocation[] | undefined> {
  const standing = standingIn(loaded)
  if (standing.length === 0) return undefined
  const locations: Location[] = []
  for (const locationId of new Set(standing.map((one) => one.locationId))) {
    const found = yield* recordReads.getRecord('locations', { accountId, locationId } as never)
    if (found) locations.push(found as Location)
  }
  const all = yield* list(tariffs, eq(tariffs.accountId, accountId), tariffs.tariffId)
  return placesOf(
    standing,
    locations,
    all.map((one) => withTaxPercent(ratesIn(one))),
  )
}

export function standingIn(loaded: readonly RecordPut[]): readonly LocationEvseState[] {
  return loaded.flatMap((one) => (one.kind === 'location_evses' ? [one.put as LocationEvseState] : []))
}

export function frozenTariff(row: object): FrozenTariff {
  return withTaxPercent(ratesIn(readRow(tariffs, row)))
}

function ratesIn(tariff: object): FrozenTariff {
  return Object.fromEntries(Object.entries(tariff).filter(([member]) => FROZEN.includes(member))) as never
}
