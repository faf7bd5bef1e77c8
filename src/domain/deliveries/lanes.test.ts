import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { chooseDeliveries, type Flying, hostOf, LANE_LIMITS, type Lane } from './lanes.ts'

function lane(id: string, due: number, change: Partial<Lane> = {}): Lane {
  return {
    subscriptionId: id,
    ownerId: `owner of ${id}`,
    host: `${id}.example:443`,
    consecutiveFailures: 0,
    due: Array.from({ length: due }, (_, index) => ({ id: `${id}-${index}`, orderKey: `s${index}` })),
    ...change,
  }
}

const flying = (id: string, count: number, change: Partial<Flying> = {}): Flying[] =>
  Array.from({ length: count }, (_, index) => ({ ...lane(id, 0), orderKey: `s${index}`, ...change }))

/** So many subscriptions of one owner, each with a receiver and sixty due deliveries of its own. */
const ofOwner = (ownerId: string, count: number, change: Partial<Lane> = {}): Lane[] =>
  Array.from({ length: count }, (_, index) => lane(`${ownerId}-${index}`, 60, { ownerId, ...change }))

const SLOW = { answerMs: 15_000 }
const DEAD = { consecutiveFailures: 5 }

it('HOOK-F1: a lane with thousands takes its four places, every other lane gets its own', () => {
  const { chosen } = chooseDeliveries([lane('dead', 2000), lane('a', 2), lane('b', 1)], [], undefined)
  expect(chosen.filter((id) => id.startsWith('dead'))).toHaveLength(4)
  expect(chosen).toEqual(expect.arrayContaining(['a-0', 'a-1', 'b-0']))
})

it('HOOK-F1: round robin goes on behind the subscription served last', () => {
  const lanes = ['a', 'b', 'c'].map((id) => lane(id, 1))
  const limits = { ...LANE_LIMITS, total: 2 }
  const first = chooseDeliveries(lanes, [], undefined, limits)
  expect(first).toEqual({ chosen: ['a-0', 'b-0'], last: 'b' })
  expect(chooseDeliveries(lanes, [], first.last, limits).chosen).toEqual(['c-0', 'a-0'])
})

it('HOOK-S6: a lane takes no more than its receiver allows, and others do not wait for it', () => {
  expect(chooseDeliveries([lane('a', 9, { allowance: 2 }), lane('b', 1)], [], undefined).chosen).toEqual([
    'a-0',
    'b-0',
    'a-1',
  ])
  expect(chooseDeliveries([lane('a', 9, { allowance: 0 })], [], undefined).chosen).toEqual([])
})

it('HOOK-R6: after five failures in a row one probe at a time', () => {
  const dead = lane('dead', 9, { consecutiveFailures: 5 })
  expect(chooseDeliveries([dead], [], undefined).chosen).toEqual(['dead-0'])
  expect(chooseDeliveries([dead], flying('dead', 1), undefined).chosen).toEqual([])
  expect(chooseDeliveries([lane('dead', 9, { consecutiveFailures: 4 })], [], undefined).chosen).toHaveLength(4)
})

it.each([
  ['dead', DEAD],
  ['slow', SLOW],
])('HOOK-F1, HOOK-R6: what is %s has one place, the others theirs', (_, change) => {
  const { chosen } = chooseDeliveries([lane('bad', 9, change), lane('good', 9)], [], undefined)
  expect(chosen.filter((id) => id.startsWith('bad'))).toHaveLength(1)
  expect(chosen.filter((id) => id.startsWith('good'))).toHaveLength(4)
})

it('HOOK-F1: an owner whose receivers all hang holds a quarter of the places, and leaves the next one its own', () => {
  const hanging = ofOwner('a', 16)
  const { chosen } = chooseDeliveries(hanging, [], undefined)
  expect(chosen).toHaveLength(16)
  const aloft = hanging.slice(0, 4).flatMap(({ subscriptionId }) => flying(subscriptionId, 4, { ownerId: 'a' }))
  expect(chooseDeliveries([...hanging, lane('b', 2)], aloft, undefined).chosen).toEqual(['b-0', 'b-1'])
})

it('HOOK-F1: however many owners hang one after the other, the next one finds a place', () => {
  let aloft: Flying[] = []
  for (let owner = 0; owner < 14; owner++) {
    const lanes = ofOwner(`owner${owner}`, 16)
    const before = aloft.length
    for (const id of chooseDeliveries(lanes, aloft, undefined).chosen) {
      const taken = lanes.find(({ subscriptionId }) => id.startsWith(`${subscriptionId}-`))
      if (taken) aloft = [...aloft, { ...taken, orderKey: id }]
    }
    expect(aloft.length).toBeGreaterThan(before)
    expect(aloft.length - before).toBeLessThanOrEqual(16)
  }
  expect(chooseDeliveries([lane('late', 1)], aloft, undefined).chosen).toEqual(['late-0'])
})

it('HOOK-F1: owners that all have much to send soon share the places alike', () => {
  const owners = ['a', 'b', 'c', 'd', 'e']
  const lanes = owners.flatMap((owner) => ofOwner(owner, 16))
  let aloft: Flying[] = []
  let last: string | undefined
  for (let round = 0; round < 200; round++) {
    const choice = chooseDeliveries(lanes, aloft, last)
    last = choice.last
    for (const id of choice.chosen) {
      const taken = lanes.find(({ subscriptionId }) => id.startsWith(`${subscriptionId}-`))
      if (taken) aloft = [...aloft, { ...taken, orderKey: `${round} ${id}` }]
    }
    // The one that was sent first is answered first.
    aloft = aloft.slice(1)
  }
  for (const owner of owners) {
    const held = aloft.filter(({ ownerId }) => ownerId === owner).length
    expect(held).toBeGreaterThanOrEqual(7)
    expect(held).toBeLessThanOrEqual(9)
  }
})

it.each([
  ['of all places', (index: number) => ({ ownerId: `owner${index}` }), 32],
  ['of their owner’s', () => ({ ownerId: 'one' }), 8],
  ['of their host’s', (index: number) => ({ ownerId: `owner${index}`, host: 'one.example:443' }), 4],
])('HOOK-F1: dead and slow receivers together hold half %s', (_, of, most) => {
  const bad = Array.from({ length: 100 }, (_, index) =>
    lane(`bad${index}`, 9, { ...of(index), ...(index % 2 === 0 ? DEAD : SLOW) }),
  )
  const { chosen } = chooseDeliveries([...bad, lane('good', 4, of(0))], [], undefined)
  expect(chosen.filter((id) => id.startsWith('bad'))).toHaveLength(most)
  expect(chosen.filter((id) => id.startsWith('good'))).toHaveLength(4)
})

it('HOOK-F1: of a backlog only as many are looked at as may leave', () => {
  let looked = 0
  function* backlog() {
    for (let index = 0; index < 10_000; index++) {
      looked++
      yield { id: `d${index}`, orderKey: `s${index}` }
    }
  }
  const full = flying('full', 4)
  expect(chooseDeliveries([{ ...lane('full', 0), due: backlog() }], full, undefined).chosen).toEqual([])
  expect(looked).toBe(0)
  chooseDeliveries([{ ...lane('a', 0), due: backlog() }], [], undefined)
  expect(looked).toBe(4)
})

it('HOOK-F1: no limit is ever exceeded, and places are left free only when nothing may take them', () => {
  const arbitrary = fc.array(
    fc.record({
      due: fc.nat(12),
      failures: fc.nat(8),
      answerMs: fc.constantFrom(20, 2999, 3000, 15_000),
      host: fc.constantFrom('x:443', 'y:443', 'z:80'),
      owner: fc.constantFrom('o', 'p', 'q', 'r', 's'),
    }),
    { maxLength: 40 },
  )
  forAll(arbitrary, (specs) => {
    const lanes = specs.map(({ due, failures, answerMs, host, owner }, index) =>
      lane(`l${index}`, due, { host, ownerId: owner, consecutiveFailures: failures, answerMs }),
    )
    const { chosen } = chooseDeliveries(lanes, [], undefined)
    expect(new Set(chosen).size).toBe(chosen.length)
    expect(chosen.length).toBeLessThanOrEqual(LANE_LIMITS.total)
    const isBad = ({ consecutiveFailures, answerMs = 0 }: Lane) => consecutiveFailures >= 5 || answerMs >= 3000
    const of = (some: readonly Lane[]) =>
      chosen.filter((id) => some.some(({ subscriptionId }) => id.startsWith(`${subscriptionId}-`))).length
    const bad = lanes.filter(isBad)
    expect(of(bad)).toBeLessThanOrEqual(LANE_LIMITS.total / 2)
    for (const one of lanes) {
      const atHost = lanes.filter(({ host }) => host === one.host)
      const owned = lanes.filter(({ ownerId }) => ownerId === one.ownerId)
      const ownerMost = Math.max(1, Math.floor((LANE_LIMITS.total - chosen.length + of(owned)) / 4))
      const desired = Math.min(isBad(one) ? 1 : LANE_LIMITS.perSubscription, [...one.due].length)
      expect(of([one])).toBeLessThanOrEqual(desired)
      expect(of(atHost)).toBeLessThanOrEqual(LANE_LIMITS.perHost)
      expect(of(owned)).toBeLessThanOrEqual(LANE_LIMITS.total / LANE_LIMITS.ownerShare)
      expect(of(atHost.filter(isBad))).toBeLessThanOrEqual(LANE_LIMITS.perHost / 2)
      if (of([one]) === desired || chosen.length === LANE_LIMITS.total) continue
      const full = of(atHost) === LANE_LIMITS.perHost || of(owned) >= ownerMost
      const fullOfBad =
        of(bad) === LANE_LIMITS.total / 2 ||
        of(atHost.filter(isBad)) === LANE_LIMITS.perHost / 2 ||
        of(owned.filter(isBad)) >= ownerMost / 2
      expect(full || (isBad(one) && fullOfBad)).toBe(true)
    }
  })
})

it('HOOK-F1: a host is a name with its port', () => {
  expect(hostOf('https://example.com/hook')).toBe('example.com:443')
  expect(hostOf('http://localhost:3000/')).toBe('localhost:3000')
})
