import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SESSIONS } from '../../../../test/support/core/testing.ts'
import { type EveryRow, everyRow } from '../../../../test/support/storage/sqlite/journal/every-row.ts'
import { copyFiles } from '../../../../test/support/storage/sqlite/journal/flush.ts'
import {
  aHouse,
  type Left,
  Play,
  playUntilKilled,
  script,
} from '../../../../test/support/storage/sqlite/journal/killed.ts'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'

/** Ids of sessions, events, messages and deliveries, and cards of remote starts. */
const MADE_BY_CHANCE =
  /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|dlv_[0-9a-f]{32}|FADE[0-9A-F]{10}/g

const DAY_MS = 86_400_000

/** Other settings than those under which the messages were decided: what was decided stays. */
const OTHER_SETTINGS = {
  unknownIdTokens: 'reject',
  figuresIntervalMs: 1_000,
  sessions: { ...SESSIONS, voltage: 400, timeZone: 'Europe/Berlin', orphanTimeoutMs: 60_000 },
} as const

/** What the next process shows once it has begun, and the one after it, which begins when the stations went on. */
async function nextProcesses(path: string, { now, memories, rest }: Left): Promise<readonly EveryRow[]> {
  const shown = async (file: string, at: number, steps: Left['rest'], left: string): Promise<EveryRow> => {
    const play = new Play(await aHouse(file, { now: at, settings: OTHER_SETTINGS }), memories)
    try {
      await play.quiet()
      await play.house.store.placing.all()
      const rows = everyRow(file)
      for (const step of steps) await play.step(step)
      copyFiles(file, left)
      return rows
    } finally {
      await play.close()
    }
  }
  const again = `${path}.again`
  return [await shown(path, now, rest, again), await shown(again, now + DAY_MS, [], `${again}.left`)]
}

/** Ids that a process made by chance after the kill. */
function withoutChance(rows: EveryRow, known: ReadonlySet<string>): EveryRow {
  const named = (text: string): string => text.replaceAll(MADE_BY_CHANCE, (id) => (known.has(id) ? id : 'made later'))
  return Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, all.map(named).sort()]))
}

/** The rows that the others have not. */
function without(rows: EveryRow, others: EveryRow = {}): readonly string[] {
  return Object.entries(rows).flatMap(([table, all]) => {
    const left = [...(others[table] ?? [])]
    return all.flatMap((row) => {
      const at = left.indexOf(row)
      if (at >= 0) left.splice(at, 1)
      return at >= 0 ? [] : [`${table} ${row}`]
    })
  })
}

it('STORE-J6: a database that was killed anywhere comes back as the process would have left it, and goes on alike', async () => {
  await fc.assert(
    fc.asyncProperty(script, async (one) => {
      const { path, remove } = temporaryDatabase()
      try {
        const left = await playUntilKilled(one, path)
        const known = new Set(JSON.stringify(everyRow(left.placed)).match(MADE_BY_CHANCE))
        const [killed = [], placed = []] = await Promise.all(
          [left.killed, left.placed].map(async (file) => {
            const seen = await nextProcesses(file, left)
            return seen.map((rows) => withoutChance(rows, known))
          }),
        )
        expect(killed.map((rows, at) => without(rows, placed[at]))).toEqual([[], []])
        expect(placed.map((rows, at) => without(rows, killed[at]))).toEqual([[], []])
      } finally {
        remove()
      }
    }),
    { numRuns: 26 },
  )
})
