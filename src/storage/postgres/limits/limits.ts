/** STORE-R1: limits of all nodes. STORE-R3: without the database each node counts API requests; the rest is refused. */
import { createHash, randomUUID } from 'node:crypto'
import { isRecent } from '../../../domain/due.ts'
import type { LimitPurpose, Limits, OccupiedSlot, Slot } from '../../../domain/ports/limits.ts'
import type { SharedLimits, SharedLimitsOptions } from '../../database.ts'
import { isAway, type PostgresAddress, storageError } from '../connection/address.ts'
import { type After, repeat } from '../connection/pool.ts'
import { toDatabase } from '../connection/text.ts'
import { CLEAR_BUCKETS, CLEAR_PLACES, FREE, HOLD } from '../functions/limits.ts'
import { FUNCTIONS } from '../functions/names.ts'
import { type Line, openLine } from './line.ts'
import { Allowances, tokenCalls } from './token-calls.ts'

/** Rates of too many requests for a round trip each, which must also survive the database's absence. */
const RATES: ReadonlySet<LimitPurpose> = new Set(['account', 'address'])
const CLEAR_MS = 30_000

/** @param after runs later unless cancelled; in ms */
export function postgresLimits(
  address: PostgresAddress,
  { alone, now, log }: SharedLimitsOptions,
  after: After,
): SharedLimits {
  const { shown } = address
  const line = openLine(address, after, (away) => {
    if (away) log?.warn({}, `${shown} is unreachable; each node limits requests by itself until it is back`)
    else log?.info({}, `${shown} is back; all nodes limit requests together`)
  })
  const allowances = new Allowances()
  const take = tokenCalls(line, now)
  const places = placesOn({ line, now, after, newId: randomUUID })
  const stopClearing = repeat(after, CLEAR_MS, () =>
    line.ask(async (session) => {
      await session.rows(CLEAR_BUCKETS)
      await session.rows(CLEAR_PLACES)
    }),
  )

  const limits: Limits = {
    async take(purpose, requested) {
      const isRate = RATES.has(purpose)
      if (isRate && line.isAway) return alone.take(purpose, requested)
      const shared = requested.map((one) => ({ ...one, key: digest(`${purpose} ${one.key}`) }))
      try {
        return (isRate && allowances.take(shared, now())) || (await take(shared, isRate ? allowances : undefined))
      } catch (error) {
        if (isRate && isAway(error)) return alone.take(purpose, requested)
        throw storageError(error, shown)
      }
    },
    async occupy(what, most, reported) {
      try {
        return await places.occupy(digest(what), most, reported)
      } catch (error) {
        throw storageError(error, shown)
      }
    },
  }
  return {
    limits,
    close: async () => {
      stopClearing()
      places.close()
      await line.close()
    },
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

// Places shared by nodes (STORE-R4): each has a lease by the database's clock, which its node renews.

/** A dead node's place is free after this. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000
/** Maximum age of the text that others see. */
const TEXT_AGE_MS = 1_000
/** For places that became free while they were counted. */
const ATTEMPTS = 5

const OCCUPY = `SELECT number, since, told AS reported FROM ${FUNCTIONS.occupy.name}($1, $2, $3, $4, $5)`
const SET_TEXT = 'UPDATE limit_places SET told = $4 WHERE what = $1 AND number = $2 AND holder = $3'

interface Held {
  readonly what: string
  readonly number: number
  readonly holder: string
  readonly since: number
  reported: string
  reportedAt: number
}

function placesOn({
  line,
  now,
  after,
  newId,
}: {
  readonly line: Line
  readonly now: () => number
  readonly after: After
  readonly newId: () => string
}): { occupy: Limits['occupy']; close(): void } {
  const held = new Set<Held>()

  const hold = async (): Promise<void> => {
    const all = [...held]
    if (all.length === 0) return
    const column = (of: (one: Held) => string | number): readonly string[] => all.map((one) => String(of(one)))
    await line.ask((session) =>
      session.rows(HOLD, [
        column(({ what }) => what),
        column(({ number }) => number),
        column(({ holder }) => holder),
        column(({ since }) => since),
        column(({ reported }) => toDatabase(reported)),
        LEASE_MS,
      ]),
    )
  }
  const stopRenewing = repeat(after, RENEW_MS, hold)

  const send = (sql: string, { what, number, holder }: Held, ...more: readonly string[]): void => {
    // If lost: the lease is renewed, or the text sent, the next time.
    line.ask((session) => session.rows(sql, [what, number, holder, ...more])).catch(() => undefined)
  }
  const placeOf = (one: Held): Slot => ({
    tell: (text) => {
      one.reported = text
      if (!held.has(one) || isRecent(one.reportedAt, now(), TEXT_AGE_MS)) return
      one.reportedAt = now()
      send(SET_TEXT, one, toDatabase(text))
    },
    free: () => {
      if (held.delete(one)) send(FREE, one)
    },
  })

  return {
    async occupy(what, most, reported) {
      for (let attempt = 1; ; attempt++) {
        const holder = newId()
        const { rows } = await line.ask((session) =>
          session.rows<OccupiedSlot & { readonly number: number | null }>(OCCUPY, [
            ...[what, most, holder, toDatabase(reported)],
            LEASE_MS,
          ]),
        )
        const [first] = rows
        if (first && first.number !== null) {
          const one = {
            what,
            number: first.number,
            holder,
            since: first.since,
            reported,
            reportedAt: Number.NEGATIVE_INFINITY,
          }
          held.add(one)
          return placeOf(one)
        }
        if (rows.length > 0 || attempt === ATTEMPTS) return rows.map(({ since, reported }) => ({ since, reported }))
      }
    },
    close: stopRenewing,
  }
}
