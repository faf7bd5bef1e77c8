import { expect, it } from 'vitest'
import { logIdAt, nextLogId } from '../../../src/domain/message-log/log-id.ts'
import type { SearchFilter } from '../../../src/domain/ports/search-filter.ts'
import type { CommandQuery } from '../../../src/domain/ports/storage-queries.ts'
import type { Command } from '../../../src/domain/ports/storage-records.ts'
import type { StoreFixture } from './fixture.ts'
import { aCommand, changeSet, NOW, store as put } from './records.ts'

/** The log most tests look at; positions are what they name rows by. */
const LOG: readonly Partial<Command>[] = [
  { method: 'BootNotification' },
  { method: 'StartTransaction', connectorId: 1, transactionId: '10' },
  { method: 'MeterValues', connectorId: 1, transactionId: '10', status: 'error', schemaErrors: '/a is required' },
  { method: 'MeterValues', connectorId: 2, transactionId: '9' },
  { method: 'StopTransaction', transactionId: '-3', status: 'timeout' },
  { method: 'RemoteStartTransaction', connectorId: 0, direction: 'out', status: 'pending' },
  { method: 'TransactionEvent', transactionId: 'abc-1', status: 'dropped' },
  { method: 'TransactionEvent', connectorId: 2, transactionId: '123456789012345678901234567890', schemaErrors: '/b' },
]

const CASES: readonly (readonly [string, SearchFilter, readonly number[]])[] = [
  ['nothing', {}, [0, 1, 2, 3, 4, 5, 6, 7]],
  ['methods', { methods: ['MeterValues', 'BootNotification'] }, [0, 2, 3]],
  ['one method', { methods: ['StartTransaction'] }, [1]],
  ['methods nobody sent', { methods: ['Reset'] }, []],
  ['no methods', { methods: [] }, []],
  ['excluded methods', { excludeMethods: ['MeterValues', 'TransactionEvent', 'Reset'] }, [0, 1, 4, 5]],
  ['connector in', { connectorId: [{ op: 'in', values: [1] }] }, [1, 2]],
  ['connector in several', { connectorId: [{ op: 'in', values: [0, 2] }] }, [3, 5, 7]],
  ['connector in none', { connectorId: [{ op: 'in', values: [] }] }, []],
  ['connector nin matches absent', { connectorId: [{ op: 'nin', values: [1] }] }, [0, 3, 4, 5, 6, 7]],
  ['connector nin several', { connectorId: [{ op: 'nin', values: [1, 2] }] }, [0, 4, 5, 6]],
  ['connector nin none', { connectorId: [{ op: 'nin', values: [] }] }, [0, 1, 2, 3, 4, 5, 6, 7]],
  ['connector range', { connectorId: [{ op: 'gte', value: 1 }, { op: 'lt', value: 2 }] }, [1, 2]], // biome-ignore format: a row
  ['connector exists', { connectorId: [{ op: 'exists', value: true }] }, [1, 2, 3, 5, 7]],
  ['connector absent', { connectorId: [{ op: 'exists', value: false }] }, [0, 4, 6]],
  ['transaction in', { transactionId: [{ op: 'in', values: ['10'] }] }, [1, 2]],
  ['transaction in several', { transactionId: [{ op: 'in', values: ['abc-1', '9', '"'] }] }, [3, 6]],
  ['transaction nin matches absent', { transactionId: [{ op: 'nin', values: ['10', '9'] }] }, [0, 4, 5, 6, 7]],
  ['transaction gt is numeric', { transactionId: [{ op: 'gt', value: 9 }] }, [1, 2, 7]],
  ['transaction gte', { transactionId: [{ op: 'gte', value: 9 }] }, [1, 2, 3, 7]],
  ['transaction lt', { transactionId: [{ op: 'lt', value: 10 }] }, [3, 4]],
  ['transaction lte', { transactionId: [{ op: 'lte', value: -3 }] }, [4]],
  ['transaction absent', { transactionId: [{ op: 'exists', value: false }] }, [0, 5]],
  ['status in', { status: [{ op: 'in', values: ['pending', 'dropped'] }] }, [5, 6]],
  ['status nin', { status: [{ op: 'nin', values: ['success'] }] }, [2, 4, 5, 6]],
  ['status exists', { status: [{ op: 'exists', value: true }] }, [0, 1, 2, 3, 4, 5, 6, 7]],
  ['status absent', { status: [{ op: 'exists', value: false }] }, []],
  ['status unheard of', { status: [{ op: 'in', values: ["x' OR 1=1"] }] }, []],
  ['schema errors', { schemaErrors: true }, [2, 7]],
  ['no schema errors', { schemaErrors: false }, [0, 1, 3, 4, 5, 6]],
  ['schema errors among others', { schemaErrors: true, methods: ['MeterValues', 'BootNotification'] }, [2]],
  [
    'everything at once',
    {
      methods: ['MeterValues', 'StartTransaction'],
      excludeMethods: ['StartTransaction'],
      connectorId: [{ op: 'in', values: [1, 2] }],
      transactionId: [{ op: 'gte', value: 1 }],
      status: [{ op: 'nin', values: ['timeout'] }],
    },
    [2, 3],
  ],
]

export function searchBehaviour({ store, reopen }: StoreFixture): void {
  const fill = (): Promise<void> =>
    put(
      store().core,
      LOG.map((change, n) => aCommand(n, change)),
    )
  const found = async (change: Partial<CommandQuery>): Promise<readonly number[]> =>
    (await store().reads.searchCommands({ ...whole(), ...change })).map(({ messageId }) => Number(messageId.slice(1)))

  it.each(CASES)(
    'SEARCH-Q2, SEARCH-Q11: filter by %s, newest first, and the count agrees',
    async (_, filter, expected) => {
      await fill()
      await put(store().core, [aCommand(50, { chargePointId: 'CP2', connectorId: 1, transactionId: '10' })])
      expect(await found({ filter })).toEqual([...expected].reverse())
      const count = await store().reads.countCommands({ ...whole(), filter })
      expect(count).toEqual({ value: expected.length, isExact: true })
    },
  )

  it('a row found is the row stored', async () => {
    await fill()
    const [newest] = await store().reads.searchCommands({ ...whole(), limit: 1 })
    expect(newest).toEqual(aCommand(7, LOG[7]))
  })

  it('the window includes its start and excludes its end', async () => {
    await fill()
    expect(await found({ fromId: logIdAt(NOW + 2), toId: logIdAt(NOW + 4) })).toEqual([3, 2])
    expect(await found({ fromId: logIdAt(NOW + 4), toId: logIdAt(NOW + 2) })).toEqual([])
  })

  it('SEARCH-Q8: a walk over frozen bounds sees every row once while others are inserted and removed', async () => {
    const { core, writes, reads } = store()
    const rows = Array.from({ length: 200 }, (_, n) => aCommand(n))
    await put(core, rows)
    const query = { ...whole(), toId: (await reads.greatestCommandId()) + 1, limit: 10 }
    const walked: number[] = []
    let belowId: number | undefined
    for (let page = 0; page < 20; page++) {
      const commands = await reads.searchCommands({ ...query, ...(belowId !== undefined && { belowId }) })
      walked.push(...commands.map(({ id }) => id))
      belowId = commands.at(-1)?.id
      await put(
        core,
        Array.from({ length: 7 }, (_, n) => aCommand(1000 + page * 7 + n)),
      )
      if (page === 9) await writes.deleteOldCommands(logIdAt(NOW + 5), 100)
    }
    const kept = rows.filter(({ id }) => id >= logIdAt(NOW + 5)).map(({ id }) => id)
    expect(walked).toEqual(kept.reverse())
  })

  it('SEARCH-V2: pages by offset', async () => {
    await fill()
    expect(await found({ offset: 2, limit: 3 })).toEqual([5, 4, 3])
    expect(await found({ offset: 100 })).toEqual([])
  })

  it('SEARCH-Q9: a count is bounded by the rows scanned, not by the hits', async () => {
    await fill()
    const { reads } = store()
    const filter: SearchFilter = { transactionId: [{ op: 'in', values: ['10'] }] }
    const bounded = (scanLimit: number) => reads.countCommands({ ...whole(), filter }, scanLimit)
    expect(await bounded(4)).toEqual({ value: 0, isExact: false })
    expect(await bounded(6)).toEqual({ value: 1, isExact: false })
    expect(await bounded(8)).toEqual({ value: 2, isExact: true })
    expect(await bounded(9)).toEqual({ value: 2, isExact: true })
  })

  it('SEARCH-Q9: a count of schema errors is bounded like the others', async () => {
    await fill()
    const { reads } = store()
    const bounded = (schemaErrors: boolean, scanLimit: number) =>
      reads.countCommands({ ...whole(), filter: { schemaErrors } }, scanLimit)
    expect(await bounded(true, 4)).toEqual({ value: 1, isExact: false })
    expect(await bounded(false, 4)).toEqual({ value: 3, isExact: false })
    expect(await bounded(true, 8)).toEqual({ value: 2, isExact: true })
  })

  it('SEARCH-Q9: counts of a window and of methods stay exact however low the bound', async () => {
    await fill()
    const { reads } = store()
    expect(await reads.countCommands(whole(), 1)).toEqual({ value: 8, isExact: true })
    const filter = { methods: ['MeterValues'] }
    expect(await reads.countCommands({ ...whole(), filter }, 1)).toEqual({ value: 2, isExact: true })
  })

  it('SEARCH-Q9: a later page counts the whole window', async () => {
    await fill()
    const later = { ...whole(), belowId: logIdAt(NOW + 2), limit: 1, offset: 3 }
    expect(await store().reads.countCommands(later)).toEqual({ value: 8, isExact: true })
  })

  it('says which methods a window holds, most frequent first', async () => {
    await fill()
    const { reads } = store()
    expect(await reads.commandMethods('CP1', logIdAt(NOW + 2), logIdAt(NOW + 5))).toEqual([
      { method: 'MeterValues', count: 2 },
      { method: 'StopTransaction', count: 1 },
    ])
  })

  it('an unknown charge point has an empty log', async () => {
    await fill()
    const { reads } = store()
    const query = { ...whole(), chargePointId: "CP1' OR '1'='1" }
    expect(await reads.searchCommands(query)).toEqual([])
    expect(await reads.countCommands(query, 10)).toEqual({ value: 0, isExact: true })
    expect(await reads.commandMethods('nobody', 0, Number.MAX_SAFE_INTEGER)).toEqual([])
    expect(await reads.oldestCommandId('nobody')).toBeUndefined()
  })

  it('knows the oldest and the newest row of a charge point and the greatest of all', async () => {
    const { core, reads } = store()
    expect(await core.lastCommandId()).toBe(0)
    expect(await reads.greatestCommandId()).toBe(0)
    await put(core, [aCommand(1, { chargePointId: 'CP2' }), aCommand(2), aCommand(3)])
    expect(await reads.oldestCommandId('CP1')).toBe(aCommand(2).id)
    expect(await reads.newestCommandId('CP2')).toBe(aCommand(1).id)
    expect(await reads.newestCommandId('CP1')).toBe(aCommand(3).id)
    expect(await reads.newestCommandId('nobody')).toBeUndefined()
    expect(await reads.greatestCommandId()).toBe(aCommand(3).id)
    expect(await core.lastCommandId()).toBe(aCommand(3).id)
  })

  it('SEARCH-Q6: ids rise over a clock that went back an hour, a restart and 10,000 rows in one millisecond', async () => {
    await put(store().core, [aCommand(0)])
    const { core, reads } = await reopen()
    let last = await core.lastCommandId()
    const hourEarlier = NOW - 3_600_000
    const rows = Array.from({ length: 10_000 }, (_, n) => {
      last = nextLogId(last, hourEarlier)
      return changeSet({ command: aCommand(n, { id: last }) })
    })
    expect((await core.commit(rows)).every(({ ok }) => ok)).toBe(true)
    const newest = await reads.searchCommands({ ...whole(), limit: 10_001 })
    expect(newest.map(({ messageId }) => messageId)).toEqual([...rows.map((_, n) => `m${n}`).reverse(), 'm0'])
  })

  it('retention deletes the oldest rows, at most so many at once', async () => {
    await fill()
    const { writes } = store()
    expect(await writes.deleteOldCommands(logIdAt(NOW + 4), 3)).toBe(3)
    expect(await found({})).toEqual([7, 6, 5, 4, 3])
    expect(await writes.deleteOldCommands(logIdAt(NOW + 4), 3)).toBe(1)
    expect(await writes.deleteOldCommands(logIdAt(NOW + 4), 3)).toBe(0)
    expect(await found({})).toEqual([7, 6, 5, 4])
  })

  it('answers a ping', async () => {
    await expect(store().reads.ping()).resolves.toBeUndefined()
  })
}

function whole(): CommandQuery {
  return { chargePointId: 'CP1', fromId: 0, toId: Number.MAX_SAFE_INTEGER, filter: {}, limit: 100 }
}
