/** What needs attention now: faults, stations that wait for approval, connections that were refused (CONSOLE-A22). */

import { careOf, isTaken } from '../../application/alerts/rules.ts'
import type { StationCare } from '../../domain/alerts/records.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { FaultedBy, FaultedConnector, FaultGroup } from '../../domain/ports/storage-queries.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'

export const GROUPINGS = ['error', 'site', 'model'] as const satisfies readonly FaultedBy[]

const FAULTS_SHOWN = 8
const WAITING_SHOWN = 4
const GROUPS_SHOWN = 20

interface Fault extends FaultedConnector {
  readonly since: number
  readonly care?: StationCare | undefined
}

interface Waiting {
  readonly view: ChargePointView
  readonly care?: StationCare | undefined
}

export interface Needs {
  /** Undefined: the newest faults one by one. */
  readonly by?: FaultedBy | undefined
  readonly groups: readonly FaultGroup[]
  readonly faults: readonly Fault[]
  readonly waiting: readonly Waiting[]
}

type Lists = Pick<Reads, 'listFaults' | 'listFaultGroups' | 'findChargePoints' | 'listRecords'>

export function groupingOf(asked: string | undefined): FaultedBy | undefined {
  return GROUPINGS.find((one) => one === asked)
}

export async function needsOf(
  reads: Lists,
  accountId: string,
  online: readonly string[],
  by: FaultedBy | undefined,
): Promise<Needs> {
  if (by !== undefined) {
    const groups = await reads.listFaultGroups(accountId, online, by, GROUPS_SHOWN)
    return { by, groups, faults: [], waiting: [] }
  }
  const pending = { accountId, filter: { registrationStatuses: ['Pending'] } } as const
  const [faults, found] = await Promise.all([
    reads.listFaults(accountId, online, FAULTS_SHOWN),
    reads.findChargePoints({ ...pending, sort: 'id', descending: false, limit: WAITING_SHOWN }),
  ])
  const views = found.map(({ view }) => view)
  const care = await careOf({ reads }, [
    ...faults.map(({ chargePointId }) => chargePointId),
    ...views.map(({ id }) => id),
  ])
  return {
    groups: [],
    faults: faults.map((fault) => {
      const since = fault.connector.since ?? fault.connector.updatedAt
      return { ...fault, since, care: takenBy(care.get(fault.chargePointId), since) }
    }),
    waiting: views.map((view) => ({ view, care: takenBy(care.get(view.id), view.createdAt) })),
  }
}

export function takenBy(care: StationCare | undefined, since: number): StationCare | undefined {
  return isTaken(care, since) ? care : undefined
}
