import { expect, it } from 'vitest'
import type { NewEvent } from '../../../src/domain/ports/storage-webhooks.ts'
import type { RecordChange } from '../../../src/domain/records/records.ts'
import type { StoreFixture } from './fixture.ts'
import { aChargePoint, anEvent, aSubscription, changeSet, NOW, recorded } from './records.ts'

let ids = 0

function doorOpened(change: Partial<NewEvent> = {}): NewEvent {
  const keys = { subject: 'CP1', orderKey: 'CP1', coalesceKey: undefined }
  return anEvent({ id: `D${++ids}`, type: 'door.opened', ...keys, ...change })
}

/** Types as data: none of these names but the first is known to the service. */
export function eventBehaviour({ store, reopen }: StoreFixture): void {
  const record = async (...events: readonly NewEvent[]) => {
    for (const event of events) {
      expect((await store().core.commit([changeSet({ events: [event] })]))[0]).toMatchObject({ ok: true })
    }
  }
  const sent = async (subscriptionId: string) =>
    [...(await store().reads.listDeliveries({ subscriptionId, limit: 100 }))].reverse()

  it('HOOK-E2: an event that a subscription did not choose is not delivered to it', async () => {
    await store().writes.createSubscription(aSubscription({ id: 'sessions', url: 'https://a.example/' }), 16)
    const chosen = ['door.opened', 'door.shut']
    await store().writes.createSubscription(
      aSubscription({ id: 'doors', url: 'https://b.example/', events: chosen }),
      16,
    )
    await record(anEvent({ id: 'E1' }), doorOpened({ id: 'door-2' }), anEvent({ id: 'E3', type: 'door' }))
    expect((await sent('sessions')).map(({ eventId, type }) => [eventId, type])).toEqual([['E1', 'session.updated']])
    expect((await sent('doors')).map(({ eventId, type, subject }) => [eventId, type, subject])).toEqual([
      ['door-2', 'door.opened', 'CP1'],
    ])
    expect((await (await reopen()).reads.findSubscription('doors'))?.events).toEqual(chosen)
  })

  it('ALERT-R6: an event and the records that it tells of are stored together; whoever is named gets it once, chosen or not', async () => {
    for (const [id, events] of [
      ['named', ['session.updated']],
      ['both', ['door.opened']],
      ['neither', ['session.updated']],
    ] as const) {
      await store().writes.createSubscription(aSubscription({ id, url: `https://${id}.example/`, events }), 16)
    }
    const put = { accountId: 'A', id: 'R1', name: 'n', kind: 'disk', targets: [], createdAt: 1, updatedAt: 1 } as const
    const { writes } = store()
    const event = { ...doorOpened({ id: 'N1' }), alsoTo: ['named', 'both', 'unknown'] }
    expect(await writes.changeRecords([{ kind: 'alert_rules', put }], [event])).toBe(true)
    expect([(await sent('named')).length, (await sent('both')).length, (await sent('neither')).length]).toEqual([
      1, 1, 0,
    ])
    const { name: _, ...wrong } = put
    const again = [{ kind: 'alert_rules', put: { ...wrong, id: 'R2' } }] as unknown as readonly RecordChange[]
    await expect(writes.changeRecords(again, [doorOpened({ id: 'N2' })])).rejects.toThrow()
    expect(await store().reads.getRecord('alert_rules', { accountId: 'A', id: 'R2' })).toBeUndefined()
    expect(await store().reads.listEvents({ accountId: 'A', type: 'door.opened', afterId: 'N1', limit: 9 })).toEqual([])
    const removal = { kind: 'alert_rules', remove: { accountId: 'A', id: 'R1' } } as const
    expect(await writes.changeRecords([removal], [])).toBe(false)
    const none = { kind: 'alert_rules', remove: put } as const
    expect(await writes.changeRecordsIf([{ kind: 'alert_rules', put }], none, [doorOpened({ id: 'N3' })])).toBe(true)
    expect(await writes.changeRecordsIf([removal], none, [doorOpened({ id: 'N4' })])).toBe(false)
    const told = await store().reads.listEvents({ accountId: 'A', type: 'door.opened', afterId: 'N1', limit: 9 })
    expect(told).toMatchObject([{ id: 'N3' }])
    const hot = { kind: 'outgoing_calls', remove: { chargePointId: 'CP1', id: 1 } } as const
    await expect(writes.changeRecords([hot], [])).rejects.toThrow('a decision changes it')
  })

  it('HOOK-E3: the feed of one type has its events only, in order and from a position', async () => {
    await record(anEvent({ id: 'F1' }), doorOpened({ id: 'F2' }), anEvent({ id: 'F3' }), doorOpened({ id: 'F4' }))
    const feed = async (query: { type: string; afterId?: string }) => {
      const found = await store().reads.listEvents({ accountId: 'A', limit: 10, ...query })
      return found === 'unknown' ? found : found.map(({ id }) => id)
    }
    expect(await feed({ type: 'door.opened' })).toEqual(['F2', 'F4'])
    expect(await feed({ type: 'session.updated' })).toEqual(['F1', 'F3'])
    expect(await feed({ type: 'door.opened', afterId: 'F3' })).toEqual(['F4'])
    expect(await feed({ type: 'door.shut' })).toEqual([])
  })

  it('HOOK-F9, HOOK-W5: a webhook that comes between two events is sent the second; the feed has both, with the bytes that are sent', async () => {
    const said = ['{"n":1}', '{"n":2}', '{"n":3}'].map((data, n) => anEvent({ id: `W${n}`, time: NOW + n, data }))
    const [before, after, later] = said as [NewEvent, NewEvent, NewEvent]
    await record(before)
    await store().writes.createSubscription(aSubscription(), 16)
    await record(after)
    await store().writes.deleteSubscription('wh', NOW)
    await record(later)
    const { reads, writes } = await reopen()
    const feed = { accountId: 'A', type: 'session.updated', limit: 9 }
    expect(await reads.listEvents(feed)).toEqual(said.map(recorded))
    expect(await reads.listEvents({ ...feed, afterId: 'W0' })).toEqual([after, later].map(recorded))
    expect(await reads.listSessionEvents('S1')).toEqual(said.map(recorded))
    await writes.createSubscription(aSubscription({ id: 'next' }), 16)
    expect((await sent('wh')).map(({ eventId }) => eventId)).toEqual(['W1'])
    expect(await sent('next')).toEqual([])
  })

  it('HOOK-F2: events of one order key are sent one at a time, whatever their types and subjects', async () => {
    await store().writes.createChargePoint(aChargePoint())
    const events = ['session.updated', 'door.opened']
    await store().writes.createSubscription(aSubscription({ events }), 16)
    await record(
      doorOpened({ id: 'O1', subject: 'CP1', orderKey: 'CP1' }),
      doorOpened({ id: 'O2', subject: 'CP1/door', orderKey: 'CP1' }),
      anEvent({ id: 'O3', subject: 'S1', orderKey: 'S1' }),
    )
    const claim = async () =>
      (await store().writes.claimDeliveries({ now: NOW, leaseUntil: NOW + 1000 })).deliveries.map(
        ({ eventId, type }) => `${eventId} ${type}`,
      )
    expect((await claim()).sort()).toEqual(['O1 door.opened', 'O3 session.updated'])
    expect(await claim()).toEqual([])
  })

  it('HOOK-M4: only untried figures of the same type, subject and coalesce key are replaced', async () => {
    await store().writes.createSubscription(aSubscription({ events: ['session.updated', 'door.opened'] }), 16)
    const figures = { kind: 'figures' as const }
    await record(
      doorOpened({ id: 'C1', ...figures, coalesceKey: 'door 1' }),
      doorOpened({ id: 'C2', ...figures, coalesceKey: 'door 2' }),
      anEvent({ id: 'C3', subject: 'CP1', ...figures }),
      doorOpened({ id: 'C4' }),
      doorOpened({ id: 'C5', ...figures, coalesceKey: 'door 1' }),
    )
    expect((await sent('wh')).map(({ eventId, state }) => `${eventId} ${state}`)).toEqual([
      'C1 superseded',
      'C2 pending',
      'C3 pending',
      'C4 pending',
      'C5 pending',
    ])
  })
}
