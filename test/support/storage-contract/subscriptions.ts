import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { newUuid } from '../../../src/domain/message-log/log-id.ts'
import type { StoreFixture } from './fixture.ts'
import { anEvent, aSubscription, changeSet, NOW } from './records.ts'

export function subscriptionBehaviour({ store, reopen }: StoreFixture): void {
  it('HOOK-S2: an owner has one webhook for an address, and so many active ones at most', async () => {
    const { writes, reads } = store()
    const first = aSubscription({ url: 'https://a.example.com/', ratePerMinute: 5, verify: 'cloudevents' })
    expect(await writes.createSubscription(first, 2)).toBe('created')
    expect(await writes.createSubscription({ ...first, id: 'wh2', url: 'https://A.example.com' }, 2)).toBe('exists')
    expect(await writes.createSubscription({ ...first, id: 'wh2', url: 'https://b.example.com/' }, 2)).toBe('created')
    expect(await writes.createSubscription({ ...first, id: 'wh3', url: 'https://c.example.com/' }, 2)).toBe('too_many')
    expect(await writes.createSubscription({ ...first, id: 'wh4', accountId: 'B' }, 2)).toBe('created')
    expect(await reads.findSubscription('wh')).toEqual(first)
    expect((await reads.listSubscriptions({ accountId: 'A' })).map(({ id }) => id).sort()).toEqual(['wh', 'wh2'])
    expect(await reads.listGrantSubscriptions({ accountId: 'A', limit: 5 })).toEqual([])
  })

  it('changes only what is named, null removes it, and a new secret takes over from the one before', async () => {
    const { writes } = store()
    const before = aSubscription({ description: 'one', chargePointIds: ['CP1'], secrets: [{ sealed: 'old' }] })
    await writes.createSubscription(before, 9)
    const rotation = { sealed: 'new', at: NOW, overlapMs: 60_000 }
    const change = { description: null, chargePointIds: null, updates: 'transitions', rotation } as const
    const { description: _d, chargePointIds: _c, ...kept } = before
    const secrets = [{ sealed: 'new' }, { sealed: 'old', expiresAt: NOW + 60_000 }]
    const after = { ...kept, updates: 'transitions', secrets }
    expect(await writes.updateSubscription('wh', change)).toEqual(after)
    await writes.createSubscription({ ...before, id: 'wh2', url: 'https://b.example.com/' }, 9)
    expect(await writes.updateSubscription('wh2', { url: before.url })).toBe('exists')
    expect(await writes.updateSubscription('nobody', {})).toBeUndefined()
    expect(await (await reopen()).reads.findSubscription('wh')).toEqual(after)
  })

  it('HOOK-R5: what is disabled keeps its events, and whoever enables it chooses what becomes of them', async () => {
    const { core, writes, reads } = store()
    await writes.createSubscription(aSubscription(), 1)
    const emit = (n: number) =>
      core.commit([changeSet({ events: [anEvent({ id: newUuid(NOW + n, randomBytes), subject: `S${n}` })] })])
    const states = async () =>
      (await reads.listDeliveries({ subscriptionId: 'wh', limit: 9 })).map(({ state }) => state)
    await emit(1)
    const disabled = { status: 'disabled', disabledReason: 'owner', disabledAt: NOW + 5 }
    expect(await writes.disableSubscription('wh', 'owner', NOW + 5)).toMatchObject(disabled)
    await emit(2)
    expect(await states()).toEqual(['held', 'held'])
    expect(await writes.enableSubscription('wh', 'held', NOW + 6, 0)).toBe('too_many')
    expect(await writes.enableSubscription('wh', 'held', NOW + 6, 1)).toMatchObject({ status: 'active' })
    expect(await states()).toEqual(['pending', 'pending'])
    await writes.disableSubscription('wh', 'owner', NOW + 7)
    await writes.enableSubscription('wh', 'skip', NOW + 8, 1)
    expect(await states()).toEqual(['cancelled', 'cancelled'])
    expect(await writes.enableSubscription('nobody', 'held', NOW, 1)).toBeUndefined()
  })

  it('HOOK-F5: after a webhook was deleted nothing of it is sent', async () => {
    const { core, writes, reads } = store()
    await writes.createSubscription(aSubscription(), 1)
    await core.commit([changeSet({ events: [anEvent({ id: newUuid(NOW, randomBytes) })] })])
    expect(await writes.deleteSubscription('wh', NOW)).toBe(true)
    expect(await writes.deleteSubscription('wh', NOW)).toBe(false)
    expect(await reads.findSubscription('wh')).toBeUndefined()
    await writes.alignDeliveries(NOW)
    expect((await writes.claimDeliveries({ now: NOW + 1000, leaseUntil: NOW + 9000 })).deliveries).toEqual([])
  })
}
