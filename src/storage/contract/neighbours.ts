import { expect, it } from 'vitest'
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
    await expect.poll(() => core.registrationsVersion(), { interval: 20, timeout: 10_000 }).not.toBe(before)
    expect((await reads.findChargePoint('CP1'))?.name).toBe('North')
    expect((await core.loadChargePoint('CP1'))?.chargePoint.name).toBe('North')
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
      await expect.poll(() => core.registrationsVersion(), { interval: 20, timeout: 10_000 }).not.toBe(before)
    }
  })

  it('OCPP-RP14: a stranger is whoever nobody approved, named or gave a password', async () => {
    const { core, writes } = store()
    const stranger = aChargePoint({ id: 'X', registrationStatus: 'Pending' })
    await writes.createChargePoint(stranger)
    await writes.createChargePoint({ ...stranger, id: 'NAMED', name: 'North' })
    await writes.createChargePoint({ ...stranger, id: 'WITH PASSWORD', passwordHash: 'v1$' })
    await writes.createChargePoint({ ...stranger, id: 'ACCEPTED', registrationStatus: 'Accepted' })
    expect(await core.strangers()).toEqual([{ id: 'X', accountId: 'A', seenAt: NOW }])
    await core.commit([changeSet({ chargePointId: 'X', status: { lastSeenAt: NOW + 5 } })])
    expect(await core.strangers()).toEqual([{ id: 'X', accountId: 'A', seenAt: NOW + 5 }])
  })
}
