import { expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import type { NodeFacts, NodeState } from '../domain/ports/nodes.ts'
import { excess, startRebalancing } from './overload.ts'

const node = (connections: number, state: NodeState = 'live'): NodeFacts => ({
  name: `node-${connections}`,
  version: '1',
  since: 0,
  lastSeenAt: 0,
  connections,
  state,
})

it.each<[string, number, readonly NodeFacts[], number, number]>([
  ['one in a hundred of a node with more than the mean', 5000, [node(5000), node(5000), node(0)], 1, 50],
  ['never below the mean', 1120, [node(1120), node(1000), node(1000)], 50, 80],
  ['at least one', 50, [node(50), node(0)], 1, 1],
  ['none of a node with less than the mean', 0, [node(5000), node(5000), node(0)], 1, 0],
  ['none for a small difference', 1040, [node(1040), node(1000)], 1, 0],
  ['none for a few connections', 12, [node(12), node(0)], 1, 0],
  ['none while a node stops', 5000, [node(5000), node(0), node(9, 'draining')], 1, 0],
  ['none while a node is silent', 5000, [node(5000), node(0), node(9, 'silent')], 1, 0],
  ['nothing waits for a node that is gone', 5000, [node(5000), node(0), node(9, 'fenced')], 1, 50],
  ['none of a node that is alone', 5000, [node(5000)], 1, 0],
])('STORE-N18: %s', (_, ours, nodes, percent, count) => {
  expect(excess(ours, nodes, percent)).toBe(count)
})

it('STORE-N18: closes a part each minute until the nodes are even, and nothing with 0 percent', async () => {
  const clock = manualClock(0)
  let ours = 300
  const closed: number[] = []
  const parts = {
    connectionCount: () => ours,
    closeSome: (count: number) => {
      closed.push(count)
      ours -= count
    },
    nodes: async () => [node(ours), node(400 - ours)],
    clock,
    log: { info: () => undefined, warn: () => undefined },
  }
  const off = startRebalancing({ ...parts, percent: 0 })
  const on = startRebalancing({ ...parts, percent: 25 })
  for (const expected of [[75], [75, 25]]) {
    clock.advance(60_000)
    await expect.poll(() => closed).toEqual(expected)
  }
  await on?.stop()
  await off?.stop()
  ours = 400
  clock.advance(600_000)
  expect(closed).toEqual([75, 25])
})
