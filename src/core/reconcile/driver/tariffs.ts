/** Desires of a station that keeps tariffs the one that a session would begin with (OCPP21-C4, COST-L1). */
import { type DesiredTariffs, desiredTariffs } from '../../../domain/intents/tariffs.ts'
import type { CoreContext } from '../../context.ts'
import type { Station } from '../../memory/station.ts'
import { decideNow, isReachable } from '../decide-now.ts'
import type { Subject } from '../subject.ts'

const AT_ONCE = 100

export const tariffs: Subject = {
  name: 'tariffs',
  records: ['device_models', 'intents'],
  purposes: [],
  due: (station) => (isReachable(station) && changeOf(station) ? [{ key: '' }] : []),
  async order(context, station) {
    const { wants, withdrawn = [] } = changeOf(station) ?? {}
    if (wants) await decideNow(context, station.id, { kind: 'intentsRequested', wants })
    if (withdrawn.length > 0) await decideNow(context, station.id, { kind: 'intentsWithdrawn', intents: withdrawn })
  },
}

function changeOf({ id: chargePointId, version, state, tariff }: Station): DesiredTariffs | undefined {
  if (!state || !version?.intents.tariff) return undefined
  const { limits } = state.records.find('device_models', { chargePointId }) ?? {}
  return desiredTariffs(tariff, limits, state.records.all('intents'))
}

/** A tariff was made, changed or deleted: the others read theirs with their next message. */
export async function tariffsChanged({ stations, log }: CoreContext): Promise<void> {
  const keeping = [...stations.all()].filter(
    ({ version, connection }) => connection !== undefined && version?.intents.tariff,
  )
  try {
    for (let from = 0; from < keeping.length; from += AT_ONCE) {
      await stations.loadAll(keeping.slice(from, from + AT_ONCE).map(({ id }) => id))
    }
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'changed tariffs reach charge points with their next message')
  }
}
