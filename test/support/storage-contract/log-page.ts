import { expect, it } from 'vitest'
import { logIdAt } from '../../../src/domain/message-log/log-id.ts'
import type { LogPageQuery } from '../../../src/domain/ports/storage-queries.ts'
import type { StoreFixture } from './fixture.ts'
import { aChargePoint, aCommand, changeSet, NOW, store as put } from './records.ts'

const CREDENTIAL = { id: 'c1', accountId: 'A', name: 'key', secretHash: 'ab', createdAt: NOW }
const asked: LogPageQuery = { accountId: 'A', chargePointId: 'CP1', fromMs: NOW, filter: {}, limit: 2 }

/** A search in one operation. */
export function logPageBehaviour({ store }: StoreFixture): void {
  async function fill(): Promise<void> {
    const { core, writes } = store()
    await writes.createCredential(CREDENTIAL)
    await writes.createChargePoint(aChargePoint())
    await writes.createChargePoint(aChargePoint({ id: 'CP2', accountId: 'B' }))
    await put(core, [aCommand(1), aCommand(2), aCommand(3, { method: 'Reset' }), aCommand(4, { chargePointId: 'CP2' })])
  }

  it('SEARCH-Q14: is the page, and the window that its first page froze at the newest row of the charge point', async () => {
    await fill()
    const { core, reads } = store()
    const first = await reads.readLogPage(asked)
    const window = { fromId: logIdAt(NOW), toId: aCommand(3).id + 1 }
    expect(first).toEqual({ window, rows: [aCommand(3, { method: 'Reset' }), aCommand(2)] })
    await core.commit([changeSet({ command: aCommand(9) })])
    const later = { ...asked, newestId: window.toId - 1, belowId: aCommand(2).id }
    expect(await reads.readLogPage(later)).toEqual({ window, rows: [aCommand(1)] })
    expect(await reads.readLogPage({ ...asked, offset: 3 })).toMatchObject({ rows: [aCommand(1)] })
    const early = await reads.readLogPage({ ...asked, toMs: NOW + 2 })
    expect(early).toEqual({ window: { fromId: logIdAt(NOW), toId: logIdAt(NOW + 2) }, rows: [aCommand(1)] })
  })

  it('SEARCH-Q14, SEARCH-Q9: has the total if it is wanted', async () => {
    await fill()
    const { reads } = store()
    const all = await reads.readLogPage({ ...asked, count: {} })
    expect(all).toMatchObject({ rows: { length: 2 }, total: { value: 3, isExact: true } })
    const filter = { status: [{ op: 'in' as const, values: ['success'] }] }
    const bounded = await reads.readLogPage({ ...asked, filter, count: { scanLimit: 2 } })
    expect(bounded).toMatchObject({ total: { value: 2, isExact: false } })
    const future = await reads.readLogPage({ ...asked, fromMs: NOW + 1000, count: {} })
    expect(future).toMatchObject({ rows: [], total: { value: 0, isExact: true } })
    expect(await reads.readLogPage({ ...asked, limit: 0 })).toMatchObject({
      rows: [],
      window: { fromId: logIdAt(NOW) },
    })
  })

  it('SEARCH-Q14: says that the account has no such charge point, and before that, that the credential is another', async () => {
    await fill()
    const { reads, writes } = store()
    expect(await reads.readLogPage({ ...asked, chargePointId: 'CP2' })).toEqual({ missing: 'chargePoint' })
    expect(await reads.readLogPage({ ...asked, chargePointId: 'nobody' })).toEqual({ missing: 'chargePoint' })
    const { id, secretHash } = CREDENTIAL
    expect(await reads.readLogPage({ ...asked, credential: { id, secretHash } })).toHaveProperty('rows')
    for (const credential of [
      { id: 'c2', secretHash },
      { id, secretHash: 'cd' },
      { id, secretHash, expiresAt: NOW + 1 },
      { id, secretHash, scopes: ['chargers:read'] },
    ]) {
      const page = await reads.readLogPage({ ...asked, chargePointId: 'nobody', credential })
      expect(page).toEqual({ missing: 'credential' })
    }
    const restricted = { ...CREDENTIAL, id: 'c3', scopes: ['chargers:read', 'sessions:read'] }
    await writes.createCredential(restricted)
    expect(await reads.readLogPage({ ...asked, credential: restricted })).toHaveProperty('rows')
    const widened = { id: 'c3', secretHash }
    expect(await reads.readLogPage({ ...asked, credential: widened })).toEqual({ missing: 'credential' })
    const foreign = { ...asked, accountId: 'B', chargePointId: 'CP2', credential: { id, secretHash } }
    expect(await reads.readLogPage(foreign)).toEqual({ missing: 'credential' })
    await writes.revokeCredential('A', id, NOW)
    expect(await reads.readLogPage({ ...asked, credential: { id, secretHash } })).toEqual({ missing: 'credential' })
  })

  it('SEARCH-Q14: of a charge point without messages it is empty', async () => {
    const { reads, writes } = store()
    await writes.createChargePoint(aChargePoint())
    expect(await reads.readLogPage(asked)).toMatchObject({ rows: [] })
  })
}
