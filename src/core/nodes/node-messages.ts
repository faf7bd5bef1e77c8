/** Messages between nodes: an order for a charge point, or news of an account. Sealed, as they may hold secrets. */
import type { ConfigurationOrder, DesiredName } from '../../domain/ports/blocks.ts'
import type { Clock, Core, Log, StartSessionOrder } from '../../domain/ports/core.ts'
import type { NodeAddress, OtherNodes, Presence } from '../../domain/ports/other-nodes.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { SealedBox } from '../../secrets/sealed-box.ts'
import type { Station } from '../memory/station.ts'
import type { Stations } from '../memory/stations.ts'

export interface AcrossNodes {
  readonly core: Core
  readonly here: HeldHere
  readonly nodes: OtherNodes
  readonly store: Pick<CoreStore, 'findSession' | 'registrationsVersion'>
  readonly sealed: SealedBox
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

export interface NodeOrder {
  readonly name: NameOfOne
  readonly args: readonly unknown[]
  readonly chargePointId: string
}

/** Older versions send no `desired`: then anything of the account may have changed. */
interface ConfigurationNews {
  readonly configurationsChanged: string
  readonly desired?: DesiredName | undefined
}

type Question = NodeOrder | { readonly settle: ConfigurationOrder } | { readonly limitViews: readonly string[] }

type Message = Question | ConfigurationNews

type Answer = { readonly value?: unknown } | { readonly moved: true } | { readonly error: string }

type AnswerOfNode =
  | { readonly outcome: 'answered'; readonly value: unknown }
  | { readonly outcome: 'moved' | 'not taken' | 'not known' }

export interface NodeMessages {
  /** @throws errors of the other node's core */
  ask(to: NodeAddress, message: Question, limitMs: number): Promise<AnswerOfNode>
  tellAll(message: ConfigurationNews): Promise<void>
}

export function createNodeMessages({ core, here, nodes, sealed, log }: AcrossNodes): NodeMessages {
  const isOwn = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const away = ids.filter((id) => !here.isConnected(id))
    const places = away.length > 0 ? await nodes.whereabouts(away) : new Map<string, never>()
    const ours = ids.filter((id) => !away.includes(id) || places.get(id)?.owner === 'this node')
    return new Set(ours)
  }
  const carryOut = async (message: Message): Promise<Answer> => {
    if ('configurationsChanged' in message) {
      await core.configurationsChanged(message.configurationsChanged, message.desired)
      return {}
    }
    if ('limitViews' in message) return { value: await core.limitViews(message.limitViews) }
    if ('settle' in message) {
      const { accountId, chargePointIds, names } = message.settle
      const ours = await isOwn(chargePointIds)
      // The other stations are handled by their owners when they connect.
      await core.settleConfigurations({ accountId, chargePointIds: chargePointIds.filter((id) => ours.has(id)), names })
      return {}
    }
    const { name, args, chargePointId } = message
    if (!namesOfOne.includes(name)) throw new Error('Nodes do not send this operation.')
    if (!(await isOwn([chargePointId])).has(chargePointId)) return { moved: true }
    const operation = core[name] as (...args: readonly unknown[]) => ReturnType<Core[NameOfOne]>
    return { value: await operation(...args) }
  }
  nodes.serve(async (request) => {
    const answer = await readMessage(sealed.open(request))
      .then(carryOut)
      .catch((error: Error): Answer => {
        log.warn({ error: error.message }, 'an order of another node failed')
        return { error: error.message }
      })
    return sealed.seal(JSON.stringify(answer))
  })
  return {
    async ask(to, message, limitMs) {
      const sent = await nodes.send(to, sealed.seal(JSON.stringify(message)), limitMs)
      if (sent.outcome !== 'answered') return sent
      const text = sealed.open(sent.answer)
      if (text === undefined) throw new Error('Another node has a different PILOTWIRE_SECRET_KEY.')
      const answer = JSON.parse(text) as Answer
      if ('error' in answer) throw new Error(answer.error)
      return 'moved' in answer ? { outcome: 'moved' } : { outcome: 'answered', value: answer.value }
    },
    tellAll: (message) => nodes.tellAll(sealed.seal(JSON.stringify(message))),
  }
}

async function readMessage(text: string | undefined): Promise<Message> {
  if (text === undefined) throw new Error('Another node has a different PILOTWIRE_SECRET_KEY.')
  return JSON.parse(text) as Message
}

// The operations about one charge point, which its node does (STORE-M2). Those about many and those of this node alone
// stand in many-across-nodes.ts and across-nodes.ts: a missing one does not compile.

interface OfOne<Args extends readonly unknown[]> {
  readonly of: (...args: Args) => { readonly chargePointId: string } | { readonly sessionId: string }
  /** Once the node is gone: `again` is idempotent; `look` checks the store first; `tell` reports an unknown outcome. */
  readonly whenUnknown: 'again' | 'look' | 'tell'
}

export const OPERATIONS = {
  sendCommand: { of: (order) => order, whenUnknown: 'look' },
  dropCommands: { of: (order) => order, whenUnknown: 'again' },
  startSession: { of: (order) => order, whenUnknown: 'look' },
  stopSession: { of: (_, sessionId) => ({ sessionId }), whenUnknown: 'again' },
  settle: { of: (order) => order, whenUnknown: 'again' },
  decideBlock: { of: (order) => order, whenUnknown: 'tell' },
  orderReport: { of: (order) => order, whenUnknown: 'tell' },
  removeChargePoint: { of: (_, chargePointId) => ({ chargePointId }), whenUnknown: 'again' },
  disconnect: { of: (chargePointId) => ({ chargePointId }), whenUnknown: 'again' },
} as const satisfies { readonly [Name in keyof Core]?: OfOne<Parameters<Core[Name]>> }

export type NameOfOne = keyof typeof OPERATIONS

export const namesOfOne = Object.keys(OPERATIONS) as readonly NameOfOne[]

export function subjectOf(name: NameOfOne, args: readonly unknown[]): ReturnType<OfOne<[]>['of']> {
  return (OPERATIONS[name].of as (...args: readonly unknown[]) => ReturnType<OfOne<[]>['of']>)(...args)
}

export interface HeldHere {
  isConnected(chargePointId: string): boolean
  all(): Iterable<Presence>
  presence(chargePointId: string): Presence | undefined
  /** Drops memory that may be outdated: another node owned the charge point meanwhile. */
  forget(chargePointId: string): void
  /** Loads it again and takes it over: the previous owner commits nothing more for it. */
  takeOver(chargePointId: string): Promise<void>
  waitingStart(order: StartSessionOrder, since: number): Session | undefined
}

export function heldHere(stations: Stations, now: () => number): HeldHere {
  const presenceOf = ({ id, connection, offlineSince, clock }: Station): Presence => ({
    chargePointId: id,
    isConnected: connection !== undefined,
    ...(connection === undefined && offlineSince !== undefined && { offlineMs: Math.max(0, now() - offlineSince) }),
    clockSkewMs: clock.skewMs,
  })
  const forget = (chargePointId: string): void => stations.forget(chargePointId)
  return {
    isConnected: (chargePointId) => stations.known(chargePointId)?.connection !== undefined,
    *all() {
      for (const station of stations.all()) yield presenceOf(station)
    },
    presence(chargePointId) {
      const station = stations.known(chargePointId)
      return station && presenceOf(station)
    },
    forget,
    async takeOver(chargePointId) {
      forget(chargePointId)
      await stations.load(chargePointId)
    },
    waitingStart(order, since) {
      const sessions = stations.known(order.chargePointId)?.state?.sessions.values() ?? []
      return [...sessions].find(
        ({ state, accountId, externalReference, remoteStart, idToken, evseId, connectorId }) =>
          state === 'pending' &&
          accountId === order.accountId &&
          (remoteStart?.requestedAt ?? 0) >= since &&
          externalReference === order.externalReference &&
          (order.idToken === undefined || idToken === order.idToken) &&
          evseId === order.evseId &&
          connectorId === order.connectorId,
      )
    },
  }
}
