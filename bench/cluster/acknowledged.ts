/** What BENCH-P10 asks of the charge points: whether they go on, and whether what was acknowledged is in the log. */
import { setTimeout as wait } from 'node:timers/promises'
import { Charger } from '../../test/postgres/charger.ts'
import { withClient } from '../postgres/server.ts'
import type { Measurement } from '../verdict.ts'

const RECOVER_MS = 120_000
const STATIONS = 30
const PACE_MS = 20

export interface Lost {
  readonly lost: number
  readonly acknowledged: number
  readonly errors: number
}

export function kept(faults: string, { lost: missing, acknowledged, errors }: Lost): Measurement {
  return {
    id: 'P10',
    what: `acknowledged messages that are not in the log after ${faults}`,
    ours: String(missing),
    limit: `${acknowledged} acknowledged`,
    ratio: missing,
    must: 0,
    aim: 0,
    better: 'lower',
    ...(errors > 0 && { fault: `${errors} messages were answered with an error` }),
  }
}

export interface Charging {
  readonly chargers: readonly Charger[]
  /** Charges that began come to their end. */
  finish(): Promise<void>
  end(): void
}

/** Charge points that charge until they are told otherwise, and lose nothing. */
export function startCharging(ocppUrl: string): Charging {
  const chargers = Array.from({ length: STATIONS }, (_, n) => new Charger(ocppUrl, `CP-${n}`, PACE_MS))
  let isOver = false
  const charging = Promise.all(chargers.map((charger) => charger.chargeUntil(() => isOver)))
  return {
    chargers,
    finish: async () => {
      isOver = true
      await charging
    },
    end: () => {
      isOver = true
      for (const charger of chargers) charger.end()
    },
  }
}

/** Each of them has had another answer. */
export async function untilAllGoOn(chargers: readonly Charger[]): Promise<void> {
  const before = chargers.map(({ acknowledged }) => acknowledged.size)
  const end = Date.now() + RECOVER_MS
  while (chargers.some(({ acknowledged }, index) => acknowledged.size <= (before[index] ?? 0) + 1)) {
    if (Date.now() > end) throw new Error('Charge points did not go on within two minutes.')
    await wait(20)
  }
}

export async function lost(url: string, chargers: readonly Charger[]): Promise<Lost> {
  const acknowledged = chargers.flatMap((charger) => [...charger.acknowledged])
  const { rows } = await withClient(url, (client) =>
    client.query<{ id: string }>('SELECT DISTINCT message_id AS id FROM commands WHERE direction = 0'),
  )
  const logged = new Set(rows.map(({ id }) => id))
  return {
    lost: acknowledged.filter((id) => !logged.has(id)).length,
    acknowledged: acknowledged.length,
    errors: chargers.reduce((sum, { errors }) => sum + errors.length, 0),
  }
}
