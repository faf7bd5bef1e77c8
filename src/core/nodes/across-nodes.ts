/** The core of several nodes: a charge point's node does its orders; without one, this does (STORE-M1 to STORE-M3). */

import { periodically } from '../../domain/periodic.ts'
import type { Clock, Core, SendCommandOrder, StartSessionOrder } from '../../domain/ports/core.ts'
import type { NodeAddress, OtherNodes } from '../../domain/ports/other-nodes.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import { mask } from '../../ocpp/mask.ts'
import { isMoved } from '../operations/find-station.ts'
import { createManyAcrossNodes } from './many-across-nodes.ts'
import {
  type AcrossNodes,
  createNodeMessages,
  type NameOfOne,
  type NodeMessages,
  type NodeOrder,
  namesOfOne,
  OPERATIONS,
  subjectOf,
} from './node-messages.ts'
import { publishPresence } from './publish-presence.ts'

/** Wait for an answer; a command adds its caller's wait for the charge point. */
const LIMIT_MS = 20_000
/** A charge point may change its node while it is looked up. */
const ATTEMPTS = 5
const ATTEMPT_PAUSE_MS = 50
/** Tolerated difference between the clocks of two nodes. */
const CLOCKS_APART_MS = 2_000

const OFFLINE = refuse(409, 'charge_point_offline', 'The charge point is not connected; give a ttl to wait for it.')
const NOT_KNOWN = refuse(
  503,
  'not_stored',
  'The node that has the charge point did not say the outcome of the order: check the charge point before you order it again.',
)
const NOT_TAKEN = refuse(
  503,
  'not_stored',
  'The node that has the charge point does not take the order; nothing was stored. Try again later.',
)

export function coreAcrossNodes(parts: AcrossNodes): Core {
  const { core, here, nodes, clock } = parts
  const messages = createNodeMessages(parts)
  const presence = publishPresence(nodes, here, clock)
  const ofOne = Object.fromEntries(
    namesOfOne.map((name) => [name, (...args: readonly unknown[]) => whereItIs(parts, messages, name, args)]),
  ) as Pick<Core, NameOfOne>
  const connected = new Map<number, string>()
  const stopClosing = closeRefused(parts, () => connected.values())
  return {
    ...ofOne,
    ...createManyAcrossNodes(parts, messages),
    async admit(request) {
      const admission = await core.admit(request)
      if (admission.ok) presence.admitted(request.identity)
      return admission
    },
    opened(connection, chargePointId, protocol, shown) {
      core.opened(connection, chargePointId, protocol, shown)
      connected.set(connection, chargePointId)
      presence.changed(chargePointId)
    },
    closed(connection, code, reason) {
      core.closed(connection, code, reason)
      const chargePointId = connected.get(connection)
      connected.delete(connection)
      if (chargePointId !== undefined) presence.changed(chargePointId)
    },
    submit: core.submit,
    alive: core.alive,
    // Authorities belong to the installation, in its database.
    prepareAuthorities: core.prepareAuthorities,
    // Counted per process; the monitoring system adds them up.
    statistics: core.statistics,
    leave: core.leave,
    drain() {
      nodes.stopServing()
      presence.stop()
      stopClosing()
      return core.drain()
    },
  }
}

async function whereItIs(
  parts: AcrossNodes,
  messages: NodeMessages,
  name: NameOfOne,
  args: readonly unknown[],
): Promise<unknown> {
  const { core, here, nodes, clock } = parts
  const doHere = (): Promise<unknown> => (core[name] as (...args: readonly unknown[]) => Promise<unknown>)(...args)
  const chargePointId = await chargePointOf(parts, name, args)
  if (chargePointId === undefined) return doHere()
  const order = { name, args, chargePointId }
  const since = clock.now() - CLOCKS_APART_MS
  if (here.isConnected(chargePointId)) {
    const value = await doHere()
    if (!isMoved(value)) return value
  }
  let askedInVain: NodeAddress | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const place = (await nodes.whereabouts([chargePointId])).get(chargePointId)
    const elsewhere = place?.owner === 'another node' ? place.address : undefined
    if (askedInVain) {
      if (elsewhere && isSame(elsewhere, askedInVain)) return refusalFor(name, NOT_KNOWN)
      if (!elsewhere) await here.takeOver(chargePointId)
      const found = await afterItsEnd(parts, order, since)
      if (found) return found.value
      if (!elsewhere) return doHere()
    }
    if (!elsewhere) {
      if (place?.owner !== 'this node') here.forget(chargePointId)
      const value = await doHere()
      if (!isMoved(value)) return value
      continue
    }
    const sent = await messages.ask(elsewhere, order, LIMIT_MS + waitOf(args))
    const isElsewhereNow = sent.outcome === 'moved' || (sent.outcome === 'answered' && isMoved(sent.value))
    if (sent.outcome === 'answered' && !isElsewhereNow) return sent.value
    askedInVain = sent.outcome === 'not known' ? elsewhere : undefined
    if (isElsewhereNow) await new Promise<void>((resolve) => clock.after(ATTEMPT_PAUSE_MS, resolve))
  }
  return refusalFor(name, NOT_TAKEN)
}

/** The first node commits nothing more for the charge point. Undefined: it did not do the order, so it is repeated. */
async function afterItsEnd(
  { here, nodes }: AcrossNodes,
  { name, args, chargePointId }: NodeOrder,
  since: number,
): Promise<{ readonly value: unknown } | undefined> {
  const { whenUnknown } = OPERATIONS[name]
  if (whenUnknown === 'again') return undefined
  if (whenUnknown === 'tell') return { value: NOT_KNOWN }
  if (name === 'sendCommand') {
    const { method, request } = args[0] as SendCommandOrder
    const text = mask(JSON.stringify(request), request)
    const value = await nodes.storedCommand(chargePointId, { method, request: text, since })
    return value && { value }
  }
  const order = args[0] as StartSessionOrder
  const value = here.waitingStart(order, since)
  if (value) return { value }
  return order.ttlMs === undefined ? { value: OFFLINE } : undefined
}

async function chargePointOf(
  { store }: AcrossNodes,
  name: NameOfOne,
  args: readonly unknown[],
): Promise<string | undefined> {
  const subject = subjectOf(name, args)
  return 'chargePointId' in subject
    ? subject.chargePointId
    : (await store.findSession(subject.sessionId))?.chargePointId
}

function refusalFor(name: NameOfOne, refusal: Refusal): Refusal | undefined {
  // Node messages are not sent; the stored registration closes the connection where necessary.
  return name === 'disconnect' ? undefined : refusal
}

function waitOf([order]: readonly unknown[]): number {
  return (order as Partial<SendCommandOrder> | undefined)?.waitMs ?? 0
}

function isSame(one: NodeAddress, other: NodeAddress): boolean {
  return one.slot === other.slot && one.incarnation === other.incarnation
}

/** Closes charge points that may no longer be connected, however they were deleted or disabled (STORE-N13). */
const LOOK_EVERY_MS = 1_000
const AT_ONCE = 5_000

interface Context {
  readonly core: Pick<Core, 'disconnect'>
  readonly nodes: Pick<OtherNodes, 'refused'>
  readonly store: Pick<CoreStore, 'registrationsVersion'>
  readonly clock: Clock
}

function closeRefused({ core, nodes, store, clock }: Context, connected: () => Iterable<string>): () => void {
  let seen = store.registrationsVersion()
  const look = async (): Promise<void> => {
    const version = store.registrationsVersion()
    if (version === seen) return
    const ids = [...new Set(connected())]
    for (let first = 0; first < ids.length; first += AT_ONCE) {
      for (const id of await nodes.refused(ids.slice(first, first + AT_ONCE))) {
        await core.disconnect(id, 'disabled or deleted')
      }
    }
    seen = version
  }
  // The database is away: the next look follows when it is back.
  const looks = periodically({ clock, work: look, everyMs: LOOK_EVERY_MS, failed: () => undefined })
  return () => void looks.stop()
}
