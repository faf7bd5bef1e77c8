import { expect, it } from 'vitest'
import { emptyBeforeEach } from '../../../../test/postgres/databases.ts'
import { loadChargePoint } from '../../../../test/support/storage/testing.ts'
import { aChargePoint, NOW } from '../../../../test/support/storage-contract/records.ts'
import type { NodeAddress, OtherNodes } from '../../../domain/ports/other-nodes.ts'
import type { Store } from '../../database.ts'

type Shared = Store & { readonly otherNodes: OtherNodes }

// STORE-M1: requests between nodes
const database = emptyBeforeEach()
const open = async (): Promise<Shared> => {
  const store = await database.openStore()
  if (!store.otherNodes) throw new Error('There are no other nodes.')
  return store as Shared
}
/** Two nodes; CP is the second one's. */
const prepared = async (): Promise<readonly [Shared, Shared, NodeAddress]> => {
  const [one, other] = [await open(), await open()]
  await one.writes.createAccount({ id: 'A', name: 'A', createdAt: NOW })
  await one.writes.createChargePoint(aChargePoint({ id: 'CP' }))
  await other.core.loadChargePoints(['CP'])
  const place = (await one.otherNodes.whereabouts(['CP'])).get('CP')
  if (!place) throw new Error('Nobody has it.')
  return [one, other, place.address]
}

const opened = (agoMs: number): Promise<unknown> =>
  database.statement(`UPDATE charge_point_owners SET connected = connected - ${agoMs}`)

it('thousands at once are answered, each once', async () => {
  const [one, other, address] = await prepared()
  const taken: string[] = []
  other.otherNodes.serve(async (request) => {
    taken.push(request)
    return `${request}!`
  })
  const asked = Array.from({ length: 3_000 }, (_, n) => `r${n}`)
  const sent = await Promise.all(asked.map((request) => one.otherNodes.send(address, request, 40_000)))
  expect(sent).toEqual(asked.map((request) => ({ outcome: 'answered', answer: `${request}!` })))
  expect([...taken].sort()).toEqual([...asked].sort())
})

it('what a node that ends has not begun is taken back, what it has begun is not known', async () => {
  const [one, other, address] = await prepared()
  let begun: (() => void) | undefined
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  other.otherNodes.serve(() => {
    begun?.()
    return new Promise(() => undefined)
  })
  const first = one.otherNodes.send(address, 'begun', 40_000)
  await hasBegun
  other.otherNodes.stopServing()
  const second = one.otherNodes.send(address, 'not begun', 40_000)
  await database.statement(`UPDATE nodes SET incarnation = incarnation + 1 WHERE slot = ${address.slot}`)
  expect(await Promise.all([first, second])).toEqual([{ outcome: 'not known' }, { outcome: 'not taken' }])
  expect((await one.otherNodes.whereabouts(['CP'])).get('CP')).toMatchObject({ owner: 'no node', isConnected: false })
})

it('whoever does not answer within the limit is not waited for', async () => {
  const [one, other, address] = await prepared()
  expect(await one.otherNodes.send(address, 'nobody serves', 100)).toEqual({ outcome: 'not taken' })
  other.otherNodes.serve(() => new Promise(() => undefined))
  expect(await one.otherNodes.send(address, 'nobody answers', 500)).toEqual({ outcome: 'not known' })
})

it('a notification that was missed is made up for by looking', async () => {
  const [one, other, address] = await prepared()
  other.otherNodes.serve(async () => 'found')
  await one.otherNodes.send(address, 'so that it listens', 40_000)
  await database.statement(`INSERT INTO node_requests (id, to_slot, to_incarnation, request, expires_at)
       VALUES ('quiet', ${address.slot}, ${address.incarnation}, 'quiet', 9000000000000)`)
  const found = new Promise((resolve) => {
    other.otherNodes.serve(async (request) => {
      resolve(request)
      return ''
    })
  })
  expect(await found).toBe('quiet')
})

it('STORE-M3: who is connected is known to all', async () => {
  const [one, other] = await prepared()
  expect(await one.otherNodes.publish([{ chargePointId: 'CP', isConnected: true, clockSkewMs: 0 }])).toEqual(new Set())
  await other.otherNodes.publish([{ chargePointId: 'CP', isConnected: true, clockSkewMs: 7 }])
  const present = { accountId: 'A', chargePointId: 'CP', isConnected: true, clockSkewMs: 7 }
  expect(await one.otherNodes.presentElsewhere(60_000)).toEqual([present])
  expect(await one.otherNodes.presentElsewhere(60_000, 'B')).toEqual([])
  expect(await other.otherNodes.presentElsewhere(60_000)).toEqual([])
  expect((await other.otherNodes.whereabouts(['CP', 'unknown'])).get('CP')?.owner).toBe('this node')
  await opened(60_000)
  await other.otherNodes.publish([{ chargePointId: 'CP', isConnected: false, offlineMs: 61_000, clockSkewMs: 7 }])
  expect(await one.otherNodes.presentElsewhere(60_000)).toEqual([])
  await database.statement('UPDATE nodes SET seen_at = seen_at - 30000')
  expect((await one.otherNodes.whereabouts(['CP'])).get('CP')?.owner).toBe('no node')
})

it.each([
  ['its last connection ended before', { offlineMs: 61_000 }],
  ['it had none here', {}],
])('STORE-N8: one whose connection was being opened was reported as gone: %s', async (_, offline) => {
  const [one, other] = await prepared()
  await other.otherNodes.publish([{ chargePointId: 'CP', isConnected: true, clockSkewMs: 0 }])
  const gone = { chargePointId: 'CP', isConnected: false, ...offline, clockSkewMs: 0 }
  expect(await other.otherNodes.publish([gone])).toEqual(new Set())
  expect(await loadChargePoint(one.core, 'CP')).toMatchObject({ isElsewhere: true })
  // Its connection was not opened after all.
  await opened(10_000)
  expect(await other.otherNodes.publish([gone])).toEqual(new Set(['CP']))
  expect((await loadChargePoint(one.core, 'CP'))?.isElsewhere).toBeUndefined()
})
