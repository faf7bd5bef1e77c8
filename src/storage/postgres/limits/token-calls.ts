/** Gathers takes of tokens: while one call is under way the next one fills, so many callers cost one round trip. */
import type { Desired, Level, Taken } from '../../../domain/ports/limits.ts'
import { keepNewest } from '../../../limits/keep-newest.ts'
import { refill } from '../../../limits/token-bucket.ts'
import { isConflict } from '../connection/address.ts'
import { FUNCTIONS } from '../functions/names.ts'
import type { Line } from './line.ts'

/** Per call: longer ones would keep others waiting for the rows. */
const MAX_BATCH = 200
const ATTEMPTS = 3

const TAKE = `SELECT levels, granted, spare
  FROM ${FUNCTIONS.takeTokens.name}($1, $2, $3, $4, $5, $6, $7, $8)`

interface Answer {
  readonly levels: readonly number[]
  readonly granted: readonly boolean[]
  readonly spare: readonly number[]
}

interface Waiting {
  readonly requested: readonly Desired[]
  readonly allowances: Allowances | undefined
  resolve(taken: Taken): void
  reject(error: unknown): void
}

/** @param now milliseconds since the epoch */
export function tokenCalls(line: Line, now: () => number) {
  const waiting: Waiting[] = []
  let isRunning = false

  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      const takes: Waiting[] = []
      // The previous call may have taken enough ahead.
      for (const one of waiting.splice(0, MAX_BATCH)) {
        const taken = one.allowances?.take(one.requested, now())
        if (taken) one.resolve(taken)
        else takes.push(one)
      }
      if (takes.length > 0) await call(takes)
    }
    isRunning = false
  }

  const call = async (takes: readonly Waiting[]): Promise<void> => {
    const { parameters, places } = questionOf(takes)
    try {
      const { levels, granted, spare } = await ask(parameters)
      const ahead = new Map<string, number>()
      places.forEach(({ key }, at) => {
        ahead.set(key, (ahead.get(key) ?? 0) + (spare[at] ?? 0))
      })
      const sharedOf = new Map(parameters.keys.map((key, at) => [key, levels[at] ?? 0]))
      const at = now()
      for (const { requested, allowances } of takes) {
        for (const { key } of requested) allowances?.note(key, sharedOf.get(key) ?? 0, ahead.get(key) ?? 0, at)
      }
      let first = 0
      for (const { requested, allowances, resolve } of takes) {
        const taken = granted[first] ?? false
        first += requested.length
        resolve({
          taken,
          levels: requested.map((one) => allowances?.level(one, at) ?? { level: sharedOf.get(one.key) ?? 0, at }),
        })
      }
    } catch (error) {
      for (const { reject } of takes) reject(error)
    }
  }

  const ask = async ({ keys, most, perMs, back, take, bucket, tokens, spare }: Question): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await line.ask(async (session) => {
          const values = [
            keys,
            ...[most, perMs, back, take, bucket, tokens, spare].map((numbers) => numbers.map(String)),
          ]
          const { rows } = await session.rows<Answer>(TAKE, values)
          const [answer] = rows
          if (!answer) throw new Error('The database returned no answer about tokens.')
          return answer
        })
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error
      }
    }
  }

  return (requested: readonly Desired[], allowances?: Allowances) =>
    new Promise<Taken>((resolve, reject) => {
      waiting.push({ requested, allowances, resolve, reject })
      if (!isRunning) void run()
    })
}

interface Question {
  readonly keys: string[]
  readonly most: number[]
  readonly perMs: number[]
  readonly back: number[]
  readonly take: number[]
  readonly bucket: number[]
  readonly tokens: number[]
  readonly spare: number[]
}

/** @returns `places`: the bucket of each line of the question */
function questionOf(takes: readonly Waiting[]): { readonly parameters: Question; readonly places: readonly Desired[] } {
  const parameters: Question = { keys: [], most: [], perMs: [], back: [], take: [], bucket: [], tokens: [], spare: [] }
  const places: Desired[] = []
  const numbers = new Map<string, number>()
  /** Tokens taken ahead for the first would be missing for the others of this call. */
  const lastLine = new Map<string, number>()
  takes.forEach(({ requested, allowances }, index) => {
    for (const one of requested) {
      let number = numbers.get(one.key)
      if (number === undefined) {
        number = parameters.keys.push(one.key)
        numbers.set(one.key, number)
        parameters.most.push(one.most)
        parameters.perMs.push(one.perMs)
        parameters.back.push(allowances?.giveUp(one.key) ?? 0)
      }
      const line = places.push(one) - 1
      parameters.take.push(index + 1)
      parameters.bucket.push(number)
      parameters.tokens.push(one.tokens)
      parameters.spare.push(0)
      if (allowances) lastLine.set(one.key, line)
      parameters.spare[line] = 0
    }
  })
  for (const [key, line] of lastLine) {
    const one = places[line]
    const { allowances } = takes[(parameters.take[line] ?? 1) - 1] ?? {}
    if (one?.key === key && allowances) parameters.spare[line] = allowances.ahead(one)
  }
  return { parameters, places }
}

// Tokens taken ahead (STORE-R2), and known empty buckets, so that most requests cost no round trip; for a second.

/** Each node's own part of a shared bucket. */
const SHARE = 1 / 40
/** Unused tokens here are missing elsewhere, and others' use is unknown here. */
const KEPT_MS = 1_000
/** As many as are counted in memory (src/limits/limits.ts). */
const MAX_KEYS = 20_000
/** As in functions/limits.ts. */
const ROUNDING = 1e-6

interface Known {
  /** The shared bucket's level, with this node's time. */
  readonly shared: Level
  /** Taken ahead; expires after `KEPT_MS`. */
  left: number
}

export class Allowances {
  readonly #known = new Map<string, Known>()

  /** The answer, if known without asking the database. */
  take(requested: readonly Desired[], now: number): Taken | undefined {
    if (requested.some(({ tokens }) => tokens <= 0)) return undefined
    const known = requested.map(({ key }) => this.#fresh(key, now))
    if (requested.every(({ tokens }, at) => (known[at]?.left ?? 0) >= tokens)) {
      requested.forEach(({ tokens }, at) => {
        const one = known[at]
        if (one) one.left -= tokens
      })
      return { taken: true, levels: requested.map((one, at) => levelOf(one, known[at], now)) }
    }
    const isRefused = requested.some((one, at) => {
      const own = known[at]
      return own !== undefined && levelOf(one, own, now).level + ROUNDING < one.tokens
    })
    return isRefused ? { taken: false, levels: requested.map((one, at) => levelOf(one, known[at], now)) } : undefined
  }

  ahead({ most, tokens }: Desired): number {
    return tokens > 0 ? Math.floor(most * SHARE) : 0
  }

  giveUp(key: string): number {
    const known = this.#known.get(key)
    this.#known.delete(key)
    return known?.left ?? 0
  }

  /** @param shared the bucket's level, without what was taken ahead */
  note(key: string, shared: number, ahead: number, now: number): void {
    keepNewest(this.#known, key, { shared: { level: shared, at: now }, left: ahead }, MAX_KEYS)
  }

  level(requested: Desired, now: number): Level {
    return levelOf(requested, this.#known.get(requested.key), now)
  }

  #fresh(key: string, now: number): Known | undefined {
    const known = this.#known.get(key)
    const age = known ? now - known.shared.at : -1
    return age >= 0 && age < KEPT_MS ? known : undefined
  }
}

function levelOf({ most, perMs }: Desired, known: Known | undefined, now: number): Level {
  const shared = refill(known?.shared, most, now, perMs)
  return { level: Math.min(most, shared.level + (known?.left ?? 0)), at: now }
}
