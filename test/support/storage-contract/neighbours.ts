import { expect, it } from 'vitest'
import { loadChargePoint } from '../storage/testing.ts'
import type { StoreFixture } from './fixture.ts'
import { aChargePoint, aCommand, aSession, changeSet, NOW } from './records.ts'

const EVERYTHING = { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 9 }

/** What is committed and not yet in place, and what another process does to the same database. */
export function neighbourBehaviour({ store, beside }: StoreFixture): void {
  it('what was committed is found at once, wherever it is looked for', async () => {
    const { core, reads } = store()
    await core.commit([changeSet({ command: aCommand(1), sessions: [aSession()] })])
    expect(await core.findSession('S1')).toEqual(aSession())
    expect(await reads.findSession('S1')).toEqual(aSession())
    expect(await reads.searchCommands(EVERYTHING)).toEqual([aCommand(1)])
  })

  it('STORE-N3: a change of another process is seen within a second, and our own is none', async () => {
    const { core, writes, reads } = store()
    const other = await beside()
    const before = core.registrationsVersion()
    await writes.createChargePoint(aChargePoint())
    expect(core.registrationsVersion()).toBe(before)
    await other.writes.updateChargePoint('A', 'CP1', { name: 'North' })
    await expect.poll(() => core.registrationsVersion(), { interval: 20 }).not.toBe(before)
    expect((await reads.findChargePoint('CP1'))?.name).toBe('North')
    expect((await loadChargePoint(core, 'CP1'))?.chargePoint.name).toBe('North')
  })

  it('STORE-N3: so is a record that belongs to registrations, also with a record of who wrote it', async () => {
    const { core } = store()
    const other = await beside()
    const put = { accountId: 'A', vendor: 'v', vendorId: 'V', status: 'Accepted', updatedAt: NOW } as const
    const changes = [{ kind: 'data_transfers', put } as const]
    const writing = [
      () => other.writes.putRecords('data_transfers', [put]),
      () => other.writes.recorded({ at: NOW, kind: 'test' }, 'changeRecords', [changes, []]),
    ]
    for (const write of writing) {
      const before = core.registrationsVersion()
      await write()
      await expect.poll(() => core.registrationsVersion(), { interval: 20 }).not.toBe(before)
    }
  })

  it('FIRMWARE-C7: of several that change what they have seen, one does, and the others change nothing', async () => {
    const { writes, reads } = store()
    const other = (await beside()).writes
    const either = (n: number): typeof writes => (n % 2 === 0 ? writes : other)
    const put = {
      accountId: 'A',
      id: 'R',
      name: 'seen',
      kind: 'disk',
      targets: [],
      createdAt: 1,
      updatedAt: 1,
    } as const
    const seen = { kind: 'alert_rules', put } as const
    const renamed = (name: string) => [
      { kind: 'alert_rules', put: { ...put, name } } as const,
      { kind: 'alert_rules', put: { ...put, id: `of ${name}` } } as const,
    ]
    expect(await writes.changeRecordsIf(renamed('nobody'), seen)).toBe(false)
    await writes.putRecords('alert_rules', [put])
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const results = await Promise.all(names.map((name, n) => either(n).changeRecordsIf(renamed(name), seen)))
    const changed = names.filter((_, n) => results[n])
    expect(changed).toHaveLength(1)
    const found = await reads.listRecords('alert_rules', { where: { accountId: 'A' }, limit: 9 })
    expect(found.map(({ id, name }) => [id, name])).toEqual([
      ['R', changed[0]],
      [`of ${changed[0]}`, 'seen'],
    ])
    // Members in another order, or without a value, are no difference.
    const { name: _, ...others } = put
    const same = { kind: 'alert_rules', put: { ...others, name: changed[0] ?? '', mutedUntil: undefined } } as const
    expect(await writes.changeRecordsIf([], same as unknown as typeof seen)).toBe(true)
    const anew = { ...put, id: 'N' }
    const none = { kind: 'alert_rules', remove: anew } as const
    const addAs = (name: string, n: number) =>
      either(n).changeRecordsIf([{ kind: 'alert_rules', put: { ...anew, name } }], none)
    const added = await Promise.all(names.map(addAs))
    expect(added.filter(Boolean)).toHaveLength(1)
    expect((await reads.getRecord('alert_rules', anew))?.name).toBe(names[added.indexOf(true)])
    const hot = { kind: 'outgoing_calls', remove: { chargePointId: 'CP1', id: 1 } } as const
    await expect(writes.changeRecordsIf([hot], seen)).rejects.toThrow('a decision changes it')
  })

  it('ADMIN-C6: records of orders that come at once are kept each for itself, and so is what became of them', async () => {
    const { writes, reads } = store()
    const other = (await beside()).writes
    const either = (n: number): typeof writes => (n % 2 === 0 ? writes : other)
    const orders = Array.from({ length: 60 }, (_, n) => ({
      at: NOW + n,
      kind: `k${n}`,
      accountId: 'A',
      subject: `s\0${n}`,
    }))
    const ids = await Promise.all(orders.map((event, n) => either(n).audit({ ...event, outcome: 'ordered' })))
    expect(new Set(ids).size).toBe(60)
    const outcomes = orders.map((_, n) => (n % 3 === 0 ? 'refused' : 'done'))
    await Promise.all(
      ids.map((id, n) => either(n).setAuditOutcome(id ?? 0, outcomes[n] as 'done', n < 2 ? `made ${n}` : undefined)),
    )
    const found = await reads.searchAudit({ accountId: 'A', limit: 100 })
    const expected = orders.map((event, n) => ({
      ...event,
      id: ids[n],
      outcome: outcomes[n],
      subject: n < 2 ? `made ${n}` : event.subject,
    }))
    expect([...found].sort((a, b) => a.at - b.at)).toEqual(expected)
  })

  it('OCPP-RP14: a stranger is whoever nobody approved, named or gave a password', async () => {
    const { core, writes } = store()
    const unaccepted = aChargePoint({ id: 'X', registrationStatus: 'Pending' })
    await writes.createChargePoint(unaccepted)
    await writes.createChargePoint({ ...unaccepted, id: 'NAMED', name: 'North' })
    await writes.createChargePoint({ ...unaccepted, id: 'WITH PASSWORD', passwordHash: 'v1$' })
    await writes.createChargePoint({ ...unaccepted, id: 'ACCEPTED', registrationStatus: 'Accepted' })
    expect(await core.unacceptedChargePoints()).toEqual([{ id: 'X', accountId: 'A', seenAt: NOW }])
    await core.commit([changeSet({ chargePointId: 'X', status: { lastSeenAt: NOW + 5 } })])
    expect(await core.unacceptedChargePoints()).toEqual([{ id: 'X', accountId: 'A', seenAt: NOW + 5 }])
  })
}
