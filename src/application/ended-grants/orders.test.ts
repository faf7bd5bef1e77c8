import { expect, it } from 'vitest'
import { type EndedGrantsContext, startEndedGrants } from './orders.ts'

/** A database that answers when the test says so; of the rest nothing is called. */
function parts() {
  const refusals: ((error: Error) => void)[] = []
  const timers: number[] = []
  const logged: string[] = []
  const reads = { listRecords: () => new Promise((_, reject) => refusals.push(reject)) }
  const after = (ms: number) => {
    timers.push(ms)
    return () => undefined
  }
  const log = { error: (_: object, message: string) => logged.push(message) }
  return { parts: { reads, after, log } as unknown as EndedGrantsContext, refusals, timers, logged }
}

it('what could not be ended is tried again', async () => {
  const { parts: given, refusals, timers, logged } = parts()
  const grants = startEndedGrants(given)
  await expect.poll(() => refusals).toHaveLength(1)
  refusals[0]?.(new Error('no disk'))
  await expect.poll(() => timers).toEqual([10_000])
  expect(logged).toHaveLength(1)
  grants.stop()
})

it('a stop in the middle of it leaves no timer behind, for which the process would wait ten seconds', async () => {
  const { parts: given, refusals, timers, logged } = parts()
  const grants = startEndedGrants(given)
  await expect.poll(() => refusals).toHaveLength(1)
  grants.stop()
  const asked = grants.changed()
  refusals[0]?.(new Error('The thread has ended.'))
  await asked
  expect({ timers, logged }).toEqual({ timers: [], logged: [] })
})

it('OIDC-C13: a change of one grant looked through what all accounts had ordered', async () => {
  const asked: [string, unknown][] = []
  const grant = { id: 'g1', accountId: 'a1', revokedAt: 1 }
  const reads = {
    findGrant: async () => grant,
    listChargePoints: async () => [{ id: 'EV' }],
    listRecords: async (kind: string, { where }: { where: unknown }) => {
      asked.push([kind, where])
      return []
    },
  }
  const given = { ...parts().parts, reads, now: () => 0 } as unknown as EndedGrantsContext
  const grants = startEndedGrants(given)
  // The look at the start is of all.
  await grants.changed()
  asked.length = 0
  await grants.changed({ grantId: 'g1' })
  grants.stop()
  const narrow = [{ grantId: 'g1' }, { chargePointId: { in: ['EV'] } }, expect.objectContaining({ accountId: 'a1' })]
  expect(asked.length).toBeGreaterThan(10)
  for (const [, where] of asked) expect(narrow).toContainEqual(where)
})
