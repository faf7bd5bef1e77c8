import { OPEN_ORDERS } from '../domain/bulk-orders/records.ts'
import { OPEN_STATES } from '../domain/firmware/records.ts'
import { OPEN_ROTATIONS } from '../domain/password-rotations/records.ts'
import { type IsKeeper, periodically } from '../domain/periodic.ts'
import type { Answered, Clock, Core, Log } from '../domain/ports/core.ts'
import type { Reads, Writes } from '../domain/ports/storage.ts'
import type { Refusal } from '../domain/ports/storage-records.ts'
import { refuse } from '../domain/refuse.ts'

/** What use cases take from outside; each picks the members that it needs. */
export interface UseCaseContext {
  readonly reads: Reads
  readonly writes: Writes
  readonly core: Pick<Core, Exclude<Answered, 'admit' | 'leave' | 'drain'>>
  readonly clock: Clock
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly after: Clock['after']
  readonly random: (bytes: number) => Buffer
  readonly log: Log
  /** 32 bytes. */
  readonly secretKey: Uint8Array
  /** UTC unless given. */
  readonly timeZone?: string | undefined
  /** PEM, where it is known: root of the certificate that this server shows (CERT-C25). */
  readonly serverRoot?: string | undefined
  /** For the public ids of commands. */
  readonly salt: bigint
  /** Which of several servers does periodic work (STORE-N14). */
  readonly isKeeper?: IsKeeper | undefined
}

/** Settings that a use case reads; volts are those of each phase. */
export interface WithSettings<Name extends 'secretKey' | 'voltage' | 'timeZone'> {
  readonly settings: Pick<
    { readonly secretKey: Uint8Array; readonly voltage: number; readonly timeZone?: string | undefined },
    Name
  >
}

/**
 * How many of a thing an account may have (CONFIG-A13): far more than a fleet needs, and too few to slow the stations
 * of other accounts. Two that are made in the same moment may both find room: the limit is no exact one.
 */
const LIMITS = {
  // Each has up to 500 variables and 500 keys, and the core holds all of them.
  configurations: { most: 100, what: 'configurations', way: 'delete one, or put its settings into another' },
  monitor_sets: { most: 100, what: 'sets of monitors', way: 'delete one, or put its monitors into another' },
  // Each card that changes is looked for in all of them.
  local_lists: { most: 20, what: 'local lists', way: 'delete one, or put its charge points into another' },
  firmware_images: { most: 200, what: 'firmware images', way: 'delete one' },
  model_abilities: { most: 500, what: 'station models', way: 'delete one' },
  // Each is looked at every second until it is over.
  firmware_campaigns: { most: 20, what: 'campaigns that are not over', way: 'cancel one' },
  password_rotations: { most: 20, what: 'password rotations that are not over', way: 'cancel one' },
  bulk_orders: { most: 100, what: 'bulk orders that are not over', way: 'cancel one' },
} as const

/** 409 where there is no room for another one. */
export async function noRoomFor(
  kind: keyof typeof LIMITS,
  reads: Pick<Reads, 'countRecords'>,
  accountId: string,
): Promise<Refusal | undefined> {
  const { most, what, way } = LIMITS[kind]
  const count =
    kind === 'firmware_campaigns'
      ? await reads.countRecords(kind, { where: { accountId, state: { in: OPEN_STATES } }, limit: most })
      : kind === 'password_rotations'
        ? await reads.countRecords(kind, { where: { accountId, state: { in: OPEN_ROTATIONS } }, limit: most })
        : kind === 'bulk_orders'
          ? await reads.countRecords(kind, { where: { accountId, state: { in: OPEN_ORDERS } }, limit: most })
          : await reads.countRecords(kind, { where: { accountId }, limit: most })
  return count < most ? undefined : refuse(409, `too_many_${kind}`, `An account has at most ${most} ${what}: ${way}.`)
}

/** Work with one key is done one after the other, whatever becomes of it. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return <Done>(key: string, work: () => Promise<Done>): Promise<Done> => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
    const over = () => last.get(key) === turn && last.delete(key)
    last.set(key, turn)
    turn.then(over, over)
    return turn
  }
}

/** Orders to many charge points, stored until they are over: after a crash, the next look of any server goes on. */
interface Order {
  readonly accountId: string
  readonly id: string
}

interface OrdersContext extends Pick<UseCaseContext, 'clock' | 'log' | 'isKeeper'> {
  readonly everyMs: number
  readonly name: string
  readonly open: () => AsyncIterable<readonly Order[]>
  readonly step: (order: Order) => Promise<void>
}

interface CarriedOut {
  carryOut(order: Order): Promise<void>
  /** A step of each that is not over. Never rejects. */
  look(): Promise<void>
  readonly isStopped: () => boolean
  stop(): void
}

export function carryOutOrders({ clock, log, isKeeper, everyMs, name, open, step }: OrdersContext): CarriedOut {
  const inTurn = createTurns()
  const failed = ({ message: error }: Error, order?: string): void =>
    log.error({ error, order }, `a ${name} could not go on yet`)
  const carryOut = ({ accountId, id }: Order): Promise<void> =>
    inTurn(id, () => step({ accountId, id })).catch((error: Error) => {
      if (!looks.isStopped()) failed(error, id)
    })
  const look = async (): Promise<void> => {
    for await (const page of open()) for (const order of page) if (!looks.isStopped()) await carryOut(order)
  }
  const looks = periodically({ clock, isKeeper, everyMs, work: look, failed })
  return { carryOut, look: () => look().catch(failed), isStopped: looks.isStopped, stop: () => void looks.stop() }
}

export async function countedByState<State extends string>(
  states: readonly State[],
  count: (state: State) => Promise<number>,
): Promise<Readonly<Partial<Record<State, number>>>> {
  const counted = await Promise.all(states.map(async (state) => [state, await count(state)] as const))
  return Object.fromEntries(counted.filter(([, found]) => found > 0)) as Partial<Record<State, number>>
}

/** Decisions at once: they share a commit. */
const AT_ONCE = 50

export async function inGroups(work: readonly (() => Promise<void>)[]): Promise<void> {
  for (let at = 0; at < work.length; at += AT_ONCE) {
    await Promise.all(work.slice(at, at + AT_ONCE).map((each) => each()))
  }
}
