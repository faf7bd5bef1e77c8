import { expect, it } from 'vitest'
import { manualClock } from '../../../../test/support/clock.ts'
import { DatabaseRefused } from '../../storage-error.ts'
import type { Pool } from '../connection/pool.ts'
import type { Node } from './node.ts'
import { nodeOwnership } from './ownership.ts'

const IDENTITY = { slot: 3, incarnation: 1 }
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A database that answers, or does not, with a clock of its own. */
function aNode() {
  const clock = manualClock(1_700_000_000_000)
  const database = { isAway: false, aheadMs: 0, takesMs: 0, refuses: '', others: '' }
  let passed = 0
  const node = {
    epochs: new Map(),
    isRegistered: true,
    identity: async () => IDENTITY,
    beat: async () => {
      if (database.isAway) throw new Error('away')
      if (database.refuses) throw new DatabaseRefused(database.refuses)
      return true
    },
  }
  const asked = async () => {
    if (database.isAway) throw new Error('away')
    passed += database.takesMs
    const at = clock.now() + passed - database.takesMs / 2 + database.aheadMs
    return { rows: [{ incarnation: 1, lost: 0, at }], changes: 1 }
  }
  const pool = { use: asked, rows: asked, value: async () => database.others }
  const warnings: string[] = []
  const ownership = nodeOwnership(
    {
      node: node as unknown as Node,
      pool: pool as unknown as Pool,
      claim: async () => undefined,
      now: () => clock.now() + passed,
      after: clock.after,
      log: { info: () => undefined, warn: (_: object, text?: string) => void warnings.push(text ?? '') },
    },
    IDENTITY,
  )
  const reported: string[] = []
  ownership.listen({
    connections: () => 0,
    lost: () => reported.push('lost'),
    fenced: () => reported.push('fenced'),
    adopt: async () => void reported.push('adopt'),
    cutOff: () => reported.push('cut off'),
  })
  const pass = async (seconds: number): Promise<void> => {
    for (let step = 0; step < seconds * 5; step++) {
      clock.advance(200)
      await settled()
    }
  }
  return { database, ownership, told: reported, pass, warnings }
}

// STORE-N11: a node knows when it had better get no connections
it('ten seconds after the database answered last; after a minute its sockets are closed, once', async () => {
  const { database, ownership, told: reported, pass } = aNode()
  await pass(30)
  expect(ownership.notReady()).toBeUndefined()
  database.isAway = true
  await pass(8)
  expect(ownership.notReady()).toBeUndefined()
  await pass(4)
  expect(ownership.notReady()).toContain('has not answered')
  await pass(46)
  expect(reported).toEqual(['adopt'])
  await pass(30)
  expect(reported).toEqual(['adopt', 'cut off'])
  database.isAway = false
  await pass(3)
  expect(ownership.notReady()).toBeUndefined()
  ownership.stop()
})

it.each([-6000, 6000])('while its clock is %i ms off', async (aheadMs) => {
  const { database, ownership, pass } = aNode()
  database.aheadMs = aheadMs
  await pass(2)
  expect(ownership.notReady()).toContain('clock')
  database.aheadMs = aheadMs / 2
  await pass(2)
  expect(ownership.notReady()).toBeUndefined()
  ownership.stop()
})

it('and took charge points at its start, before it had compared its clock, which was 90 seconds off', async () => {
  const { database, ownership, told: reported, pass } = aNode()
  database.aheadMs = 90_000
  expect(ownership.notReady()).toContain('clock')
  await ownership.look()
  expect(ownership.notReady()).toContain('by 90 seconds')
  await pass(5)
  expect(reported).toEqual([])
  database.aheadMs = 0
  await pass(2)
  expect(ownership.notReady()).toBeUndefined()
  expect(reported).toEqual(['adopt'])
  ownership.stop()
})

it.each([
  [1000, 90_000, 'by 90 seconds'],
  [9000, -90_000, 'by -90 seconds'],
  [1000, 0, undefined],
  [4000, 0, undefined],
  // It may be off by as much as the answer took: nothing was learned.
  [9000, 4000, 'not compared'],
  [9000, 0, 'not compared'],
])('an answer that took %i ms, with a clock that is %i ms off: %s', async (takesMs, aheadMs, why) => {
  const { database, ownership } = aNode()
  Object.assign(database, { takesMs, aheadMs })
  await ownership.look()
  if (why === undefined) expect(ownership.notReady()).toBeUndefined()
  else expect(ownership.notReady()).toContain(why)
  ownership.stop()
})

it('a slow answer made a clock right that was known to be wrong', async () => {
  const { database, ownership } = aNode()
  database.aheadMs = 6000
  await ownership.look()
  database.takesMs = 8000
  await ownership.look()
  expect(ownership.notReady()).toContain('by 6 seconds')
  ownership.stop()
})

it('a database that refused the node for a minute filled its log with that', async () => {
  const { database, ownership, pass, warnings } = aNode()
  database.refuses = 'read-only'
  await pass(60)
  database.refuses = ''
  await pass(3)
  database.refuses = 'read-only'
  await pass(3)
  expect(warnings).toEqual(Array(2).fill('the database refuses this node'))
  ownership.stop()
})

it('while it ends', async () => {
  const { ownership, pass } = aNode()
  await pass(2)
  await ownership.leave()
  expect(ownership.notReady()).toContain('stopped')
  ownership.stop()
})
