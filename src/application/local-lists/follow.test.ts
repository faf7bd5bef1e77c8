import { expect, it } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { storeOfTest } from '../../../test/support/storage/testing.ts'
import type { Core, Log } from '../../domain/ports/core.ts'
import { followLists } from './follow.ts'

it('LIST-A4: a list that was changed while our clock was ahead kept later changes of others from charge points', async () => {
  const { reads, writes } = storeOfTest()
  const start = Date.parse('2026-10-15T12:00:00Z')
  const clock = manualClock(start)
  const { now, after } = clock
  await writes.createAccount({ id: 'A', name: 'A', createdAt: start })
  const changed: string[] = []
  const follower = followLists({
    reads,
    writes,
    clock,
    now,
    after,
    settings: {},
    log: { error: (fields) => void changed.push(JSON.stringify(fields)) } as Partial<Log> as Log,
    core: {
      settleConfigurations: async () => undefined,
      configurationsChanged: async (_, desired) => void changed.push(desired?.name ?? ''),
    } as Partial<Core> as Core,
  })
  const put = (name: string) => {
    const times = { contentAt: now(), createdAt: now(), updatedAt: now() }
    return writes.putRecords('local_lists', [{ accountId: 'A', name, selector: { ids: [] }, tokens: 'all', ...times }])
  }
  const looked = () =>
    expect.poll(() => {
      clock.advance(1000)
      return changed
    })
  clock.set(start + 3 * 365 * 86_400_000)
  await put('first')
  await looked().toEqual(['first'])
  clock.set(start)
  await put('second')
  await looked().toEqual(['first', 'second'])
  await follower.stop()
})
