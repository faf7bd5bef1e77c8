/** Questions about many charge points, whichever nodes they are connected to (STORE-M3). */
import type { StationView } from '../../domain/limit-groups/view.ts'
import type { Connectivity, Core } from '../../domain/ports/core.ts'
import type { NodeAddress, Whereabouts } from '../../domain/ports/other-nodes.ts'
import { isOnline, isWrongClock, OFFLINE_GRACE_MS } from '../connections/connectivity.ts'
import type { AcrossNodes, NodeMessages } from './node-messages.ts'

const SETTLE_LIMIT_MS = 60_000
const VIEW_LIMIT_MS = 3_000

export function createManyAcrossNodes({ core, here, nodes }: AcrossNodes, messages: NodeMessages) {
  return {
    async settleConfigurations({ accountId, chargePointIds, names }) {
      const places = await nodes.whereabouts(chargePointIds.filter((id) => !here.isConnected(id)))
      const { ours, others } = byNode(chargePointIds, places)
      for (const id of ours) if (places.get(id)?.owner === 'no node') here.forget(id)
      const settleHere = (ids: readonly string[]) =>
        core.settleConfigurations({ accountId, chargePointIds: ids, names })
      await Promise.all([
        settleHere(ours),
        ...others.map(async ({ address, ids }) => {
          const settle = { accountId, chargePointIds: ids, names }
          const { outcome } = await messages.ask(address, { settle }, SETTLE_LIMIT_MS)
          if (outcome === 'answered') return
          // The node is gone: reconnecting stations are handled by their new node, unowned ones here and now.
          const after = await nodes.whereabouts(ids)
          await settleHere(ids.filter((id) => after.get(id)?.owner !== 'another node'))
        }),
      ])
    },

    async configurationsChanged(accountId, desired) {
      await core.configurationsChanged(accountId, desired)
      await messages.tellAll({ configurationsChanged: accountId, desired })
    },

    async connectivity(chargePointIds) {
      const known = await core.connectivity(chargePointIds)
      const away = chargePointIds.filter((id) => !here.isConnected(id))
      if (away.length === 0) return known
      const places = await nodes.whereabouts(away)
      return known.map((one) => {
        const place = places.get(one.chargePointId)
        return place && place.owner !== 'this node' ? connectivityOf(place) : one
      })
    },

    async limitViews(chargePointIds) {
      const away = chargePointIds.filter((id) => !here.isConnected(id))
      if (away.length === 0) return core.limitViews(chargePointIds)
      const { others } = byNode(away, await nodes.whereabouts(away))
      const elsewhere = new Set(others.flatMap(({ ids }) => ids))
      const [ours, ...theirs] = await Promise.all([
        core.limitViews(chargePointIds.filter((id) => !elsewhere.has(id))),
        ...others.map(async ({ address, ids }) => {
          const answer = await messages.ask(address, { limitViews: ids }, VIEW_LIMIT_MS)
          // Stations without an answer count as silent, with all that they may still hold (GROUP-A1).
          return answer.outcome === 'answered' ? (answer.value as readonly StationView[]) : []
        }),
      ])
      return [...ours, ...theirs.flat()]
    },

    async onlineChargePoints(accountId) {
      const [ours, others] = await Promise.all([
        core.onlineChargePoints(accountId),
        nodes.presentElsewhere(OFFLINE_GRACE_MS, accountId),
      ])
      return [...new Set([...ours, ...others.map(({ chargePointId }) => chargePointId)])]
    },

    async networks() {
      const [ours, others] = await Promise.all([core.networks(), nodes.presentElsewhere(OFFLINE_GRACE_MS)])
      const networks = new Map<string, { accountId: string; online: string[]; wrongClocks: number }>(
        ours.map((network) => [network.accountId, { ...network, online: [...network.online] }]),
      )
      const seen = new Set(ours.flatMap(({ online }) => online))
      for (const { accountId, chargePointId, clockSkewMs } of others) {
        if (seen.has(chargePointId)) continue
        const network = networks.get(accountId) ?? { accountId, online: [], wrongClocks: 0 }
        networks.set(accountId, network)
        network.online.push(chargePointId)
        if (isWrongClock(clockSkewMs)) network.wrongClocks++
      }
      return [...networks.values()]
    },
  } satisfies Partial<Core>
}

function byNode(
  ids: readonly string[],
  places: ReadonlyMap<string, Whereabouts>,
): {
  readonly ours: readonly string[]
  readonly others: readonly { readonly address: NodeAddress; readonly ids: readonly string[] }[]
} {
  const ours: string[] = []
  const others = new Map<number, { address: NodeAddress; ids: string[] }>()
  for (const id of ids) {
    const place = places.get(id)
    if (place?.owner !== 'another node') {
      ours.push(id)
      continue
    }
    const node = others.get(place.address.slot) ?? { address: place.address, ids: [] }
    others.set(place.address.slot, node)
    node.ids.push(id)
  }
  return { ours, others: [...others.values()] }
}

function connectivityOf({ chargePointId, isConnected, offlineMs, clockSkewMs, ...place }: Whereabouts): Connectivity {
  return {
    chargePointId,
    online: isOnline(isConnected, offlineMs),
    lastSeenAt: place.lastSeenAt,
    protocol: place.protocol,
    clockSkewMs,
  }
}
