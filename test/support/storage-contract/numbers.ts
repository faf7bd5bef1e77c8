import { expect, it } from 'vitest'
import type { StoreFixture } from './fixture.ts'

export function numberBehaviour({ store, reopen }: StoreFixture): void {
  it('SESSION-A3: numbers start at 1, follow each other, and each sequence is its own', async () => {
    const { core } = store()
    expect(await core.reserveNumbers('transaction', 10)).toBe(1)
    expect(await core.reserveNumbers('transaction', 1)).toBe(11)
    expect(await core.reserveNumbers('transaction', 5)).toBe(12)
    expect(await core.reserveNumbers('remoteStart', 1)).toBe(1)
  })

  it('SESSION-A3: a restart jumps, so that a restored backup gives no number twice', async () => {
    const first = await store().core.reserveNumbers('transaction', 50)
    const { core } = await reopen()
    const next = await core.reserveNumbers('transaction', 1)
    expect(next).toBeGreaterThanOrEqual(first + 50 + 10_000)
    expect(await core.reserveNumbers('transaction', 1)).toBe(next + 1)
  })

  it('SESSION-A3: refuses instead of starting over when int32 is used up', async () => {
    const { core } = store()
    expect(await core.reserveNumbers('transaction', 2 ** 31 - 1)).toBe(1)
    await expect(core.reserveNumbers('transaction', 1)).rejects.toThrow('used up')
    await expect(core.reserveNumbers('remoteStart', 0)).rejects.toThrow('1 or more')
  })

  it('the salt belongs to the database', async () => {
    const { salt } = store()
    expect((await reopen()).salt).toBe(salt)
  })
}
