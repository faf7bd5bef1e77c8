/** Orders to many charge points, stored until they are over: after a crash, the next look of any server goes on. */

import { periodically } from '../domain/periodic.ts'
import type { UseCaseContext } from './context.ts'

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
  const turns = new Map<string, Promise<void>>()
  const failed = ({ message: error }: Error, order?: string): void =>
    log.error({ error, order }, `a ${name} could not go on yet`)
  const carryOut = ({ accountId, id }: Order): Promise<void> => {
    const turn = (turns.get(id) ?? Promise.resolve())
      .then(() => step({ accountId, id }))
      .catch((error: Error) => {
        if (!looks.isStopped()) failed(error, id)
      })
    turns.set(id, turn)
    return turn.finally(() => {
      if (turns.get(id) === turn) turns.delete(id)
    })
  }
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
