/** The log of all charge points of an account at once. */

import { expect, it } from 'vitest'
import { logIdAt } from '../../../src/domain/message-log/log-id.ts'
import type { NetworkLogQuery } from '../../../src/domain/ports/storage-queries.ts'
import type { Command } from '../../../src/domain/ports/storage-records.ts'
import type { StoreFixture } from './fixture.ts'
import { aChargePoint, aCommand, NOW, store as put } from './records.ts'

const PAUSE_MS = 9000

export function networkLogBehaviour({ store }: StoreFixture): void {
  const asked = (change: Partial<NetworkLogQuery> = {}): NetworkLogQuery => ({
    accountId: 'A',
    fromId: 0,
    toId: Number.MAX_SAFE_INTEGER,
    filter: {},
    limit: 100,
    workMs: 60_000,
    ...change,
  })
  const found = async (change: Partial<NetworkLogQuery>): Promise<readonly number[]> =>
    (await store().reads.searchNetwork(asked(change))).rows.map(({ messageId }) => Number(messageId.slice(1)))

  const LOG: readonly Partial<Command>[] = [
    { chargePointId: 'CP1', method: 'BootNotification', request: '{"chargePointModel":"100%_Strom"}' },
    {
      chargePointId: 'CP2',
      method: 'StatusNotification',
      response: '{"info":"Ground\\\\Failure 🔌"}',
      schemaErrors: '/a',
    },
    { chargePointId: 'B1', method: 'BootNotification' },
    { chargePointId: 'CP1', method: 'Reset', direction: 'out', status: 'error', response: undefined, error: { code: 'NotSupported', description: 'no Reset', details: {} } }, // biome-ignore format: a row
    { chargePointId: 'nobody', method: 'Heartbeat' },
    { chargePointId: 'CP2', method: 'MeterValues', transactionId: '7', connectorId: 1 },
    { chargePointId: 'CP2', method: 'DataTransfer', direction: 'out', status: 'pending', response: undefined },
  ]

  const fill = async (): Promise<void> => {
    const { core, writes } = store()
    for (const id of ['CP1', 'CP2']) await writes.createChargePoint(aChargePoint({ id }))
    await writes.createChargePoint(aChargePoint({ id: 'B1', accountId: 'B' }))
    await put(
      core,
      LOG.map((change, n) => aCommand(n, change)),
    )
    // Later pages are of what their first one has put in place.
    await found({})
  }

  it.each<readonly [string, Partial<NetworkLogQuery>, readonly number[]]>([
    ['everything', {}, [6, 5, 3, 1, 0]],
    ['another account', { accountId: 'B' }, [2]],
    ['an account without any', { accountId: 'C' }, []],
    ['one charge point', { chargePointId: 'CP1' }, [3, 0]],
    ['one of another account', { chargePointId: 'B1' }, []],
    ['one that nobody registered', { chargePointId: 'nobody' }, []],
    ['what charge points said', { direction: 'in' }, [5, 1, 0]],
    ['what they were told', { direction: 'out' }, [6, 3]],
    ['a method', { filter: { methods: ['BootNotification', 'Reset'] } }, [3, 0]],
    ['a method that never came', { filter: { methods: ['Nothing'] } }, []],
    ['a status and a way', { filter: { status: [{ op: 'in', values: ['error', 'success'] }] }, direction: 'out' }, [3]],
    ['a transaction', { filter: { transactionId: [{ op: 'in', values: ['7'] }] } }, [5]],
    ['schema errors', { filter: { schemaErrors: true } }, [1]],
    ['text of a request, in any case', { text: 'STROM' }, [0]],
    ['text of an answer', { text: 'Failure 🔌' }, [1]],
    ['text of an error', { text: 'notsupported' }, [3]],
    ['text that looks like a pattern', { text: '%_s' }, [0]],
    ['a pattern that matches nothing', { text: 'B%M' }, []],
    ['a backslash', { text: 'nd\\\\Fail' }, [1]],
    ['text, a method and a way', { text: 'strom', direction: 'in', filter: { methods: ['BootNotification'] } }, [0]],
    ['a window', { fromId: logIdAt(NOW + 1), toId: logIdAt(NOW + 5) }, [3, 1]],
    ['a later page', { belowId: logIdAt(NOW + 3), limit: 1 }, [1]],
    ['no rows', { limit: 0 }, []],
  ])('SEARCH-Q15: %s', async (_, change, expected) => {
    await fill()
    expect(await found(change)).toEqual(expected)
  })

  it('SEARCH-Q15: rows are whole, and a charge point that was deleted is shown to nobody', async () => {
    await fill()
    const { reads, writes } = store()
    const [newest] = (await reads.searchNetwork(asked({ limit: 1 }))).rows
    expect(newest).toEqual(aCommand(6, { ...LOG[6], response: undefined }))
    await writes.deleteChargePoint('A', 'CP2')
    expect(await found({})).toEqual([3, 0])
    await writes.createChargePoint(aChargePoint({ id: 'CP2', accountId: 'B' }))
    expect(await found({ accountId: 'B' })).toEqual([2])
  })

  it('SEARCH-Q15: what is rare is looked for in parts, page by page, without gap or repetition', async () => {
    const { core, writes } = store()
    const ids = ['CP1', 'CP2', 'CP3']
    for (const id of ids) await writes.createChargePoint(aChargePoint({ id }))
    // Bursts, with silence between them.
    const rows = Array.from({ length: 90 }, (_, n) =>
      aCommand(n, {
        chargePointId: ids[n % 3] ?? '',
        id: logIdAt(NOW + Math.floor(n / 30) * PAUSE_MS + n),
        request: n % 9 === 4 ? '{"rare":1}' : '{}',
      }),
    )
    await put(core, rows)
    await found({})
    for (const change of [{}, { text: 'rare' }]) {
      const expected = rows.filter(({ request }) => !change.text || request.includes('rare')).map(({ id }) => id)
      for (const workMs of [0, 60_000]) {
        const walked: number[] = []
        let parts = 0
        for (let belowId: number | undefined = (rows.at(-1)?.id ?? 0) + 1; belowId !== undefined; parts++) {
          const page = await store().reads.searchNetwork(
            asked({ ...change, fromId: logIdAt(NOW), belowId, limit: 4, workMs }),
          )
          walked.push(...page.rows.map(({ id }) => id))
          belowId = page.rows.length === 4 ? page.rows.at(-1)?.id : page.lookedTo
        }
        expect(walked).toEqual(expected.toReversed())
        // Without time to work each page is one part; with it nothing is left over.
        expect(parts > expected.length / 4 + 2).toBe(workMs === 0)
      }
    }
  })
}
