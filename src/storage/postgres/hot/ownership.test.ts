import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../domain/clock.ts'
import type { Pool } from '../connection/pool.ts'
import type { Node } from './node.ts'
import { nodeOwnership } from './ownership.ts'

const IDENTITY = { slot: 3, incarnation: 1 }
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A database that answers, or does not, with a clock of its own. */
function aNode() {
  const clock = manualClock(1_700_000_000_000)
  const database = { isAway: false, aheadMs: 0 }
  const node = {
    epochs: new Map(),
    isRegistered: true,
    identity: async () => IDENTITY,
    beat: async () => {
      if (database.isAway) throw new Error('away')
      return true
    },
  }
  const asked = async () => {
    if (database.isAway) throw new Error('away')
    return { rows: [{ incarnation: 1, lost: 0, at: clock.now() + database.aheadMs }], changes: 1 }
  }
  const pool = { use: asked, rows: asked, value: asked }
  const ownership = nodeOwnership(
    {
      node: node as unknown as Node,
      pool: pool as unknown as Pool,
      claim: async () => undefined,
      now: clock.now,
      after: clock.after,
      log: undefined,
    },
    IDENTITY,
  )
  const told: string[] = []
  ownership.listen({
    connections: () => 0,
    lost: () => told.push('lost'),
    fenced: () => told.push('fenced'),
    adopt: async () => undefined,
    cutOff: () => told.push('cut off'),
  })
  const pass = async (seconds: number): Promise<void> => {
    for (let step = 0; step < seconds * 5; step++) {
      clock.advance(200)
      await settled()
    }
  }
  return { database, ownership, told, pass }
}

describe('STORE-N11: a node knows when it had better get no connections', () => {
  it('ten seconds after the database answered last; after a minute its sockets are closed, once', async () => {
    const { database, ownership, told, pass } = aNode()
    await pass(30)
    expect(ownership.notReady()).toBeUndefined()
    database.isAway = true
    await pass(8)
    expect(ownership.notReady()).toBeUndefined()
    await pass(4)
    expect(ownership.notReady()).toContain('has not answered')
    await pass(46)
    expect(told).toEqual([])
    await pass(30)
    expect(told).toEqual(['cut off'])
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

  it('while it ends', async () => {
    const { ownership, pass } = aNode()
    await pass(2)
    await ownership.leave()
    expect(ownership.notReady()).toContain('stopped')
    ownership.stop()
  })
})
