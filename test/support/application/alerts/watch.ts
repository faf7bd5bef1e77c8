/** For tests: a watch over a real store, with a clock and a list of who is online that the test has. */

import { randomBytes } from 'node:crypto'
import { createWatch, type Watch } from '../../../../src/application/alerts/watch.ts'
import type { AlertRule } from '../../../../src/domain/alerts/records.ts'
import { tellAlert } from '../../../../src/domain/events/alert-events.ts'
import { createEmission, freshEventId } from '../../../../src/domain/events/emission.ts'
import { logIdTime, newUuid } from '../../../../src/domain/message-log/log-id.ts'
import type { Core, CoreStatistics } from '../../../../src/domain/ports/core.ts'
import type { FileStore } from '../../../../src/storage/database.ts'
import type { ManualClock } from '../../clock.ts'

type Parts = Parameters<typeof createWatch>[0]

export function watchOver(
  { reads, writes }: FileStore,
  clock: ManualClock,
  online: ReadonlySet<string>,
  parts: Partial<Parts> = {},
): Watch {
  return createWatch({
    reads,
    writes,
    clock,
    newId: (now) => newUuid(now, randomBytes),
    tell: tellAlert,
    rowTime: logIdTime,
    core: {
      connectivity: async (ids) => ids.map((chargePointId) => ({ chargePointId, online: online.has(chargePointId) })),
      statistics: async () => ({ messages: 0, callErrors: 0, failedCommits: 0, failedFlushes: 0 }) as CoreStatistics,
    } as Partial<Core> as Core,
    recorded: (event, at, now) =>
      createEmission({ figuresIntervalMs: 0 }, freshEventId(randomBytes)).ofDecision(event, at, now, undefined),
    wake: () => undefined,
    freeBytes: async () => 2 ** 40,
    diskHolds: 'database',
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...parts,
  })
}

export function anAlertRule(at: number, change: Partial<AlertRule> = {}): AlertRule {
  return {
    accountId: 'acc1',
    id: newUuid(at, randomBytes),
    name: 'Depot',
    kind: 'offline',
    afterSeconds: 0,
    targets: [{ mail: 'ops@example.com' }],
    createdAt: at,
    updatedAt: at,
    ...change,
  }
}
