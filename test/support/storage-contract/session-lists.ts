import { expect, it } from 'vitest'
import type { Session } from '../../../src/domain/ports/sessions.ts'
import type { SessionFilter } from '../../../src/domain/ports/storage-queries.ts'
import type { StoreFixture } from './fixture.ts'
import { aSession, aTransaction, changeSet, NOW } from './records.ts'

const MINUTE = 60_000

/** Twelve sessions, a minute apart; ids do not rise with their creation. */
const SESSIONS: readonly Session[] = Array.from({ length: 12 }, (_, n) =>
  aSession({
    id: `S${String(99 - n)}`,
    chargePointId: `CP${n % 3}`,
    state: n % 4 === 0 ? 'charging' : n % 4 === 1 ? 'failed' : 'completed',
    energyMilliWh: 1_000_400 + n * 1000,
    createdAt: NOW + n * MINUTE,
    idToken: n % 2 ? 'CARD-a' : undefined,
    externalReference: n % 5 === 0 ? 'order-%' : undefined,
    // One arrived late.
    startedAt: n === 1 ? undefined : n === 7 ? NOW : NOW + n * MINUTE,
    stoppedAt: n % 4 === 0 || n === 1 ? undefined : NOW + n * MINUTE + 30_999,
    cost: n === 1 ? undefined : { micros: 5000 + n * 10_000, currency: n === 2 ? 'JPY' : 'EUR' },
  }),
)

export function sessionListBehaviour({ store }: StoreFixture): void {
  const put = async (): Promise<void> => {
    await store().core.commit(SESSIONS.map((session) => changeSet({ sessions: [session] })))
    await store().core.commit([changeSet({ sessions: [aSession({ id: 'S-B', accountId: 'B', idToken: 'CARD-a' })] })])
  }
  const cases: readonly (readonly [Partial<SessionFilter>, (session: Session) => boolean])[] = [
    [{}, () => true],
    [{ state: 'failed' }, ({ state }) => state === 'failed'],
    [{ state: 'charging' }, ({ state }) => state === 'charging'],
    [{ running: true }, ({ state }) => state === 'charging'],
    [{ running: true, chargePointIds: ['CP1'] }, (one) => one.state === 'charging' && one.chargePointId === 'CP1'],
    [{ idToken: 'card-A' }, ({ idToken }) => idToken !== undefined],
    [{ externalReference: 'order-%' }, ({ externalReference }) => externalReference !== undefined],
    [{ externalReference: 'ORDER-%' }, () => false],
    [{ chargePointIds: ['CP1'] }, ({ chargePointId }) => chargePointId === 'CP1'],
    [{ chargePointIds: ['CP1', 'CP2'] }, ({ chargePointId }) => chargePointId !== 'CP0'],
    [{ chargePointIds: [] }, () => false],
    [{ from: NOW + 3 * MINUTE, to: NOW + 9 * MINUTE }, ({ createdAt }) => inside(createdAt)],
    [
      { startedFrom: NOW + 3 * MINUTE, startedTo: NOW + 9 * MINUTE },
      ({ startedAt }) => startedAt !== undefined && inside(startedAt),
    ],
    [{ startedTo: NOW + MINUTE }, ({ startedAt }) => startedAt === NOW],
    [{ startedFrom: NOW, state: 'failed' }, ({ state, startedAt }) => state === 'failed' && startedAt !== undefined],
    [
      { begunFrom: NOW + 3 * MINUTE, begunTo: NOW + 9 * MINUTE },
      ({ startedAt, createdAt }) => {
        const at = startedAt ?? createdAt
        return at >= NOW + 3 * MINUTE && at < NOW + 9 * MINUTE
      },
    ],
    [{ startedFrom: NOW, running: true }, ({ state }) => state === 'charging'],
    [{ startedFrom: NOW, idToken: 'CARD-a' }, ({ idToken, startedAt }) => !!idToken && startedAt !== undefined],
    [
      { startedTo: NOW + 5 * MINUTE, chargePointIds: ['CP1', 'CP2'] },
      (one) => one.chargePointId !== 'CP0' && one.startedAt !== undefined && one.startedAt < NOW + 5 * MINUTE,
    ],
    [
      { idToken: 'CARD-a', state: 'completed', chargePointIds: ['CP1', 'CP0'], from: NOW + 3 * MINUTE },
      ({ idToken, state, chargePointId, createdAt }) =>
        idToken !== undefined && state === 'completed' && chargePointId !== 'CP2' && createdAt >= NOW + 3 * MINUTE,
    ],
  ]
  const inside = (at: number): boolean => at >= NOW + 3 * MINUTE && at < NOW + 9 * MINUTE

  it('CONSOLE-C5: sessions are listed newest first, whatever they are filtered by, and go on behind any of them', async () => {
    await put()
    const { reads } = store()
    for (const [filter, holds] of cases) {
      const expected = SESSIONS.filter(holds)
        .map(({ id }) => id)
        .reverse()
      const query = { accountId: 'A', ...filter }
      const found: string[] = []
      for (let belowId: string | undefined; ; belowId = found.at(-1)) {
        const rows = await reads.listSessions({ ...query, limit: 2, belowId })
        found.push(...rows.map(({ id }) => id))
        if (rows.length < 2) break
      }
      expect(found, JSON.stringify(filter)).toEqual(expected)
    }
    expect(await reads.listSessions({ accountId: 'A', belowId: 'never was', limit: 5 })).toEqual([])
  })

  it('CONSOLE-J1: sessions are found by the number of their transaction and by the beginning of their id', async () => {
    const { core, reads, writes } = store()
    const [early, late, foreign] = ['019a0001-aaaa', '019a0001-bbbb', '019a0001-cccc'] as const
    await writes.createChargePoint({
      id: 'CP1',
      accountId: 'A',
      registrationStatus: 'Accepted',
      securityProfile: 0,
      createdAt: NOW,
    })
    await core.commit([
      changeSet({
        sessions: [aSession({ id: early, transactionId: '4711' }), aSession({ id: late })],
        transactions: [aTransaction({ transactionId: '4711', sessionId: early })],
      }),
      changeSet({ sessions: [aSession({ id: foreign, accountId: 'B' })] }),
    ])
    const found = async (name: string, limit = 5): Promise<readonly string[]> =>
      (await reads.findSessionsNamed('A', name, limit)).map(({ id }) => id)
    expect(await found('4711')).toEqual([early])
    expect(await found('471')).toEqual([])
    expect(await found('019A0001')).toEqual([late, early])
    expect(await found('019a0001', 1)).toEqual([late])
    expect(await found('019a0001-bb')).toEqual([late])
    expect(await found('019a000')).toEqual([])
    expect(await reads.findSessionsNamed('B', '4711', 5)).toEqual([])
  })

  it('CONSOLE-C14: by their start sessions go on behind any of them; one that never began stands where it was made', async () => {
    await put()
    const { reads } = store()
    const startOf = ({ startedAt, createdAt }: Session): number => startedAt ?? createdAt
    for (const [filter, holds] of cases) {
      const expected = SESSIONS.filter(holds).sort((a, b) => startOf(b) - startOf(a) || (a.id < b.id ? 1 : -1))
      const query = { accountId: 'A', byStart: true as const, ...filter }
      const found: string[] = []
      for (let belowId: string | undefined; ; belowId = found.at(-1)) {
        const rows = await reads.listSessions({ ...query, limit: 2, belowId })
        found.push(...rows.map(({ id }) => id))
        if (rows.length < 2) break
      }
      expect(found, JSON.stringify(filter)).toEqual(expected.map(({ id }) => id))
    }
  })

  it('CONSOLE-C4: totals are the sums of what the filter leaves, as each figure is shown', async () => {
    await put()
    const { reads } = store()
    const now = NOW + 20 * MINUTE
    for (const [filter, holds] of cases) {
      const expected = SESSIONS.filter(holds)
      const totals = await reads.sumSessions({ accountId: 'A', ...filter }, now)
      const seconds = expected.map(({ startedAt, stoppedAt }) =>
        startedAt === undefined ? 0 : Math.floor(((stoppedAt ?? now) - startedAt) / 1000),
      )
      expect(totals, JSON.stringify(filter)).toEqual({
        sessions: expected.length,
        energyWh: sum(expected.map(({ energyMilliWh }) => Math.floor((energyMilliWh + 500) / 1000))),
        durationSeconds: sum(seconds),
        cost: ['EUR', 'JPY'].flatMap((currency) => {
          const costs = expected.flatMap(({ cost }) =>
            cost?.currency === currency ? [shown(cost.micros, currency)] : [],
          )
          return costs.length === 0 ? [] : [{ currency, micros: sum(costs) }]
        }),
        isWhole: true,
      })
    }
  })

  it('CONSOLE-C4: where only the newest are counted, the totals say so', async () => {
    await put()
    const { reads } = store()
    const some = await reads.sumSessions({ accountId: 'A', state: 'completed' }, NOW, 4)
    expect([some.sessions, some.isWhole]).toEqual([5, false])
    const all = await reads.sumSessions({ accountId: 'A', state: 'completed' }, NOW, 6)
    expect([all.sessions, all.isWhole]).toEqual([6, true])
  })

  it('CONSOLE-C1: leads from a session to its transaction, also to one that gave up its number', async () => {
    const { core, reads } = store()
    const over = aTransaction({ transactionId: '1@S1', sessionId: 'S1', open: false })
    const now = aTransaction({ transactionId: '1', sessionId: 'S2' })
    await core.commit([changeSet({ transactions: [over, now], sessions: [aSession(), aSession({ id: 'S2' })] })])
    const of = (id: string, transactionId?: string) => ({ id, chargePointId: 'CP1', transactionId })
    expect(await reads.findTransactionsOf([of('S1', '1')])).toEqual([over])
    expect(await reads.findTransactionsOf([of('S3'), of('S2', '1'), of('S4', '1'), of('S1', '1')])).toEqual([now, over])
  })
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}

/** Half-even to the minor unit. */
function shown(micros: number, currency: string): number {
  const unit = currency === 'JPY' ? 1_000_000 : 10_000
  const floor = Math.floor(micros / unit)
  const rest = micros - floor * unit
  return (rest * 2 > unit || (rest * 2 === unit && floor % 2 === 1) ? floor + 1 : floor) * unit
}
