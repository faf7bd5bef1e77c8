import { expect, it } from 'vitest'
import { manualClock } from '../../../test/support/clock.ts'
import { createLogQuota } from '../../domain/logs/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { startFileSweep } from './file-sweep.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

it('FIRMWARE-D5, FIRMWARE-F3: the oldest logs beyond the quota go with their files, and so does a file of no log', async () => {
  const clock = manualClock(100 * HOUR)
  const now = clock.now()
  const log = (requestId: number, bytes?: number) => ({
    accountId: 'A',
    chargePointId: 'EV-1',
    requestId,
    tokenHash: `t${requestId}`,
    ...(bytes !== undefined && { file: { name: 'x', bytes, sha256: '', storedAt: requestId } }),
  })
  let logs = [log(1, 60), log(2, 60), log(3)]
  const files = new Map([
    ['log-t1', now],
    ['log-t2', now],
    ['log-t3', now],
    ['log-removed', now],
    ['image', now],
    ['old-image', now - 31 * HOUR],
  ])
  const sweep = startFileSweep({
    files: {
      maxBytes: 0,
      list: async () => [...files].map(([name, changedAt]) => ({ name, changedAt })),
      remove: async (name) => void files.delete(name),
      keep: () => Promise.reject(new Error('nothing is kept')),
      read: () => {
        throw new Error('nothing is read')
      },
      has: async () => false,
    },
    reads: {
      listRecords: (async (kind: string, { where }: { where?: { tokenHash?: string } }) =>
        kind === 'log_requests'
          ? logs.filter(({ tokenHash }) => tokenHash === where?.tokenHash)
          : []) as unknown as Pick<Reads, 'listRecords'>['listRecords'],
    },
    core: {
      async decideBlock({ input }) {
        if (input.kind === 'logRemoved') logs = logs.filter(({ requestId }) => requestId !== input.requestId)
        return {}
      },
    },
    quota: createLogQuota(800),
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  clock.advance(MINUTE)
  await expect.poll(() => logs.map(({ requestId }) => requestId)).toEqual([2, 3])
  // The one that is being uploaded stays, and so does what may get its record yet.
  expect([...files.keys()]).toEqual(['log-t1', 'log-t2', 'log-t3', 'image'])
  const left = (): string[] => {
    clock.advance(HOUR)
    return [...files.keys()]
  }
  await expect.poll(left).toEqual(['log-t2', 'log-t3', 'image'])
  await sweep.stop()
})
