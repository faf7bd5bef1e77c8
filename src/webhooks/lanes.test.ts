import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseDeliveries, type Flying, hostOf, LANE_LIMITS, type Lane } from './lanes.ts'

function lane(id: string, due: number, change: Partial<Lane> = {}): Lane {
  return {
    subscriptionId: id,
    host: `${id}.example:443`,
    consecutiveFailures: 0,
    due: Array.from({ length: due }, (_, index) => ({ id: `${id}-${index}`, sessionId: `s${index}` })),
    ...change,
  }
}

const flying = (id: string, count: number, host = `${id}.example:443`): Flying[] =>
  Array.from({ length: count }, (_, index) => ({ subscriptionId: id, host, sessionId: `s${index}` }))

describe('lanes', () => {
  it('F1: a lane with thousands takes its four places, every other lane gets its own', () => {
    const { chosen } = chooseDeliveries([lane('dead', 2000), lane('a', 2), lane('b', 1)], [], undefined)
    expect(chosen.filter((id) => id.startsWith('dead'))).toHaveLength(4)
    expect(chosen).toEqual(expect.arrayContaining(['a-0', 'a-1', 'b-0']))
  })

  it('F1: at most 8 per host and port, however many subscriptions name it', () => {
    const lanes = ['a', 'b', 'c', 'd'].map((id) => lane(id, 10, { host: 'one.example:443' }))
    expect(chooseDeliveries(lanes, [], undefined).chosen).toHaveLength(8)
    expect(chooseDeliveries(lanes, flying('z', 3, 'one.example:443'), undefined).chosen).toHaveLength(5)
  })

  it('F1: round robin goes on behind the subscription served last', () => {
    const lanes = ['a', 'b', 'c'].map((id) => lane(id, 1))
    const limits = { ...LANE_LIMITS, total: 2 }
    const first = chooseDeliveries(lanes, [], undefined, limits)
    expect(first).toEqual({ chosen: ['a-0', 'b-0'], last: 'b' })
    expect(chooseDeliveries(lanes, [], first.last, limits).chosen).toEqual(['c-0', 'a-0'])
  })

  it('S6: a lane takes no more than its receiver allows, and others do not wait for it', () => {
    expect(chooseDeliveries([lane('a', 9, { allowance: 2 }), lane('b', 1)], [], undefined).chosen).toEqual([
      'a-0',
      'b-0',
      'a-1',
    ])
    expect(chooseDeliveries([lane('a', 9, { allowance: 0 })], [], undefined).chosen).toEqual([])
  })

  it('F2: one in flight per session, and a busy session does not block the next one', () => {
    const due = ['s1', 's1', 's2'].map((sessionId, index) => ({ id: `d${index}`, sessionId }))
    expect(chooseDeliveries([lane('a', 0, { due })], [], undefined).chosen).toEqual(['d0', 'd2'])
    const busy = [{ subscriptionId: 'a', host: 'a.example:443', sessionId: 's1' }]
    expect(chooseDeliveries([lane('a', 0, { due })], busy, undefined).chosen).toEqual(['d2'])
  })

  it('R6: after five failures in a row one probe at a time', () => {
    const dead = lane('dead', 9, { consecutiveFailures: 5 })
    expect(chooseDeliveries([dead], [], undefined).chosen).toEqual(['dead-0'])
    expect(chooseDeliveries([dead], flying('dead', 1), undefined).chosen).toEqual([])
    expect(chooseDeliveries([lane('dead', 9, { consecutiveFailures: 4 })], [], undefined).chosen).toHaveLength(4)
  })

  it('F1: no limit is ever exceeded, and places are left free only when nothing may take them', () => {
    const arbitrary = fc.array(
      fc.record({ due: fc.nat(12), failures: fc.nat(8), host: fc.constantFrom('x:443', 'y:443', 'z:80') }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(arbitrary, (specs) => {
        const lanes = specs.map(({ due, failures, host }, index) =>
          lane(`l${index}`, due, { host, consecutiveFailures: failures }),
        )
        const { chosen } = chooseDeliveries(lanes, [], undefined)
        expect(new Set(chosen).size).toBe(chosen.length)
        expect(chosen.length).toBeLessThanOrEqual(LANE_LIMITS.total)
        const perHost = new Map<string, number>()
        for (const { subscriptionId, host, consecutiveFailures, due } of lanes) {
          const own = chosen.filter((id) => id.startsWith(`${subscriptionId}-`)).length
          const limit = consecutiveFailures >= LANE_LIMITS.probeAfter ? 1 : LANE_LIMITS.perSubscription
          expect(own).toBeLessThanOrEqual(limit)
          perHost.set(host, (perHost.get(host) ?? 0) + own)
          if (own < Math.min(limit, due.length) && chosen.length < LANE_LIMITS.total) {
            expect(
              chosen.filter((id) => lanes.some((l) => l.host === host && id.startsWith(`${l.subscriptionId}-`))).length,
            ).toBe(LANE_LIMITS.perHost)
          }
        }
        for (const count of perHost.values()) expect(count).toBeLessThanOrEqual(LANE_LIMITS.perHost)
      }),
    )
  })

  it('F1: a host is a name with its port', () => {
    expect(hostOf('https://example.com/hook')).toBe('example.com:443')
    expect(hostOf('http://localhost:3000/')).toBe('localhost:3000')
  })
})
