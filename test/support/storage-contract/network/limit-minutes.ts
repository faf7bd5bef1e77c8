/** The course of limit groups, thinned. */
import { expect, it } from 'vitest'
import type { LimitMinute } from '../../../../src/domain/limit-groups/records.ts'
import type { StoreFixture } from '../fixture.ts'
import { NOW } from '../records.ts'

const MINUTE = 60_000
const FROM = NOW - (NOW % MINUTE)

export function limitMinuteBehaviour({ store }: StoreFixture): void {
  const row = (minute: number, drawAmps: readonly number[], more: Partial<LimitMinute> = {}): LimitMinute => ({
    accountId: 'A',
    name: 'site',
    at: FROM + minute * MINUTE,
    limitAmps: [],
    allowedAmps: [],
    drawAmps,
    ...more,
  })

  it('CONSOLE-G2: of each step the minute that was fullest, with the building; the earliest of several', async () => {
    const { reads, writes } = store()
    await writes.putRecords('limit_minutes', [
      row(-1, [99, 99, 99]),
      row(0, [1, 9.5, 0]),
      row(1.5, [2, 9.25, 0]),
      row(4, [1, 0, 0], { loadAmps: [10.5, 0, 0] }),
      row(5, [7]),
      row(6, [7]),
      row(15, [3, 3, 3]),
      row(20, [99, 99, 99]),
      row(2, [99, 99, 99], { name: 'other' }),
      row(2, [99, 99, 99], { accountId: 'B' }),
    ])
    const query = { accountId: 'A', name: 'site', from: FROM, to: FROM + 20 * MINUTE, stepMs: 5 * MINUTE } as const
    const fullest = async (phase: 0 | 1 | 2) =>
      (await reads.listFullestMinutes({ ...query, phase })).map((at) => (at - FROM) / MINUTE)
    expect(await fullest(0)).toEqual([4, 5, 15])
    expect(await fullest(1)).toEqual([0, 5, 15])
    expect(await fullest(2)).toEqual([0, 5, 15])
    expect(await reads.listFullestMinutes({ ...query, phase: 0, name: 'none' })).toEqual([])
  })
}
