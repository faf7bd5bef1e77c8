/**
 * Which intents the configurations and the sets of monitors of an account mean for a station (CONFIG-A4, MONITOR-A2).
 * Looked at when one of them changes and whenever a station is heard on a new connection or boots, so that one that
 * comes later gets what was wanted before.
 */
import type { Configuration } from '../../blocks/configuration/records.ts'
import { wantsOf } from '../../blocks/configuration/wants.ts'
import type { MonitorSet } from '../../blocks/monitors/records.ts'
import { monitorWantsOf } from '../../blocks/monitors/wants.ts'
import { type Selectable, selects } from '../../blocks/selector.ts'
import type { CoreStore } from '../../ports/storage.ts'
import type { Selector } from '../../records/selector.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { decideNow } from './decide-now.ts'

const PAGE = 200

export interface Configurations {
  /** Makes what is wanted of these stations what the configurations say now. Resolves when it is committed. */
  settle(accountId: string, chargePointIds: readonly string[]): Promise<void>
  /** The same for one that was heard of, if anything is to be changed. */
  look(station: Station): void
  /** One of them was changed. */
  changed(accountId: string): void
}

export function createConfigurations(
  context: () => CoreContext,
  store: Pick<CoreStore, 'listRecords'>,
): Configurations {
  const known = new Map<string, Promise<Wishes>>()
  const ofAccount = (accountId: string): Promise<Wishes> => {
    const loading = known.get(accountId) ?? load(store, accountId)
    known.set(accountId, loading)
    loading.catch(() => known.delete(accountId))
    return loading
  }
  const settleOne = async ({ configurations, monitorSets }: Wishes, station: Station): Promise<void> => {
    const { state, version } = station
    if (!state) return
    const protocol = version?.protocol ?? state.status.protocol
    const isMeant = ({ selector }: { readonly selector: Selector }) => selects(selector, selectable(station))
    const wants = [
      ...wantsOf(configurations.filter(isMeant), protocol),
      ...monitorWantsOf(monitorSets.filter(isMeant), protocol),
    ]
    const hadAny = state.records.all('intents').some(({ source }) => source !== undefined)
    if (wants.length === 0 && !hadAny) return
    const { refused } = await decideNow(context(), station.id, { kind: 'configurationsSettled', wants })
    if (refused !== undefined) {
      context().log.warn({ chargePoint: station.id, refused }, 'the configurations ask too much of a charge point')
    }
  }
  return {
    changed: (accountId) => void known.delete(accountId),
    async settle(accountId, chargePointIds) {
      const { stations } = context()
      const all = await ofAccount(accountId)
      await stations.loadAll(chargePointIds.filter((id) => !stations.current(id)))
      await Promise.all(
        chargePointIds.map(async (id) => {
          const station = stations.known(id)
          if (station?.chargePoint.accountId === accountId) await settleOne(all, station)
        }),
      )
    },
    look(station) {
      const { accountId } = station.chargePoint
      ofAccount(accountId)
        .then((all) => (isEmpty(all) && !hasIntents(station) ? undefined : settleOne(all, station)))
        .catch((error: Error) =>
          context().log.warn({ chargePoint: station.id, error: error.message }, 'its configurations could not be read'),
        )
    },
  }
}

function hasIntents({ state }: Station): boolean {
  return (state?.records.all('intents').length ?? 0) > 0
}

function selectable({ chargePoint: { id, labels }, state }: Station): Selectable {
  const { vendor, model, firmwareVersion } = state?.status ?? {}
  return { id, labels, vendor, model, firmwareVersion }
}

interface Wishes {
  readonly configurations: readonly Configuration[]
  readonly monitorSets: readonly MonitorSet[]
}

function isEmpty({ configurations, monitorSets }: Wishes): boolean {
  return configurations.length + monitorSets.length === 0
}

async function load(store: Pick<CoreStore, 'listRecords'>, accountId: string): Promise<Wishes> {
  const [configurations, monitorSets] = await Promise.all([
    all((after) => store.listRecords('configurations', { where: { accountId }, limit: PAGE, ...after })),
    all((after) => store.listRecords('monitor_sets', { where: { accountId }, limit: PAGE, ...after })),
  ])
  return { configurations, monitorSets }
}

type Named = { readonly accountId: string; readonly name: string }

async function all<R extends Named>(
  list: (after: { readonly after?: Named }) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const found: R[] = []
  for (;;) {
    const last = found.at(-1)
    const page = await list(last ? { after: { accountId: last.accountId, name: last.name } } : {})
    found.push(...page)
    if (page.length < PAGE) return found
  }
}
