/** STORE-R1: limits of all nodes. STORE-R3: without the database each node counts API requests; the rest is refused. */
import { createHash, randomUUID } from 'node:crypto'
import type { LimitPurpose, Limits } from '../../../domain/ports/limits.ts'
import type { SharedLimits, SharedLimitsOptions } from '../../database.ts'
import type { PostgresAddress } from '../connection/address.ts'
import { isAway, storageError } from '../connection/failures.ts'
import { type After, repeat } from '../connection/repeat.ts'
import { CLEAR_BUCKETS, CLEAR_PLACES } from '../functions/limits.ts'
import { openLine } from './line.ts'
import { placesOn } from './places.ts'
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
