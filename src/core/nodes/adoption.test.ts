import { expect, it } from 'vitest'
import type { CoreContext } from '../context.ts'
import { createAdoption } from '../create-core.ts'
import type { Station } from '../memory/station.ts'

it('STORE-N10: what was taken over before it failed half way is no work of its own when it is tried again', async () => {
  const stations = new Map([['OWN', { id: 'OWN' } as Station]])
  const goOn: (readonly string[])[] = []
  let isAway = true
  const adopt = createAdoption({
    stations: { all: () => stations.values(), known: (id: string) => stations.get(id), loadAll: async () => new Set() },
    store: {
      dropPendingCommands: async () => 0,
      listRecords: async () => [],
      async chargePointsWithOpenSessions() {
        if (isAway) throw new Error('the database is away')
        return []
      },
    },
    desired: {
      reconciler: {
        async resume(goesOn: (id: string) => boolean) {
          stations.set('LEFT', { id: 'LEFT' } as Station)
          goOn.push([...stations.keys()].filter(goesOn))
        },
      },
      placing: { wakeAll: async () => undefined },
    },
    clock: { now: () => 0 },
  } as unknown as CoreContext)
  await expect(adopt()).rejects.toThrow('the database is away')
  isAway = false
  await adopt()
  await adopt()
  expect(goOn).toEqual([['OWN'], ['OWN'], ['OWN', 'LEFT']])
})
