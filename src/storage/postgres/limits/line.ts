/** The connection of the limits, in order. A late answer ends the wait, and the connection. */
import type { PostgresAddress } from '../connection/address.ts'
import { ConnectionLost, isAway } from '../connection/address.ts'
import type { After } from '../connection/pool.ts'
import { Session } from '../connection/session.ts'

/** Longer than any answer of a working server. */
const TIMEOUT_MS = 2_000
const LOOK_AGAIN_MS = 1_000

export interface Line {
  ask<T>(work: (session: Session) => Promise<T>): Promise<T>
  readonly isAway: boolean
  close(): Promise<void>
}

export function openLine(address: PostgresAddress, after: After, reported: (isAway: boolean) => void): Line {
  let session: Promise<Session> | undefined
  let isAwayNow = false
  let isClosed = false
  let cancelLook = (): void => undefined
  /** The driver takes one question at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const underWay = new Set<Promise<unknown>>()

  const opened = (): Promise<Session> => {
    session ??= Session.open(address).catch((error: unknown) => {
      session = undefined
      throw error
    })
    return session
  }
  const inTime = <T>(work: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const late = after(TIMEOUT_MS, () => reject(new ConnectionLost('The database did not answer in time.')))
      work.then(resolve, reject).finally(late)
    })
  const set = (isAway: boolean): void => {
    if (isAway !== isAwayNow) reported(isAway)
    isAwayNow = isAway
    cancelLook()
    // Refused calls ask nothing, so the database's return is probed.
    if (isAway && !isClosed)
      cancelLook = after(LOOK_AGAIN_MS, () => void ask((one) => one.value('SELECT 1')).catch(() => undefined))
  }
  const ask: Line['ask'] = (work) => {
    const asked = attempt(work)
    underWay.add(asked)
    void asked.catch(() => undefined).finally(() => underWay.delete(asked))
    return asked
  }
  const attempt: Line['ask'] = async (work) => {
    if (isClosed) throw new ConnectionLost('The database is closed.')
    let one: Session | undefined
    try {
      one = await inTime(opened())
      if (one.isBroken) {
        session = undefined
        one = await inTime(opened())
      }
      const used = one
      const turn = last.then(() => work(used))
      last = turn.catch(() => undefined)
      const answer = await inTime(turn)
      set(false)
      return answer
    } catch (error) {
      if (!isAway(error)) throw error
      if (one) {
        session = undefined
        void one.end()
      }
      set(true)
      throw error
    }
  }
  return {
    ask,
    get isAway() {
      return isAwayNow
    },
    close: async () => {
      isClosed = true
      cancelLook()
      await Promise.allSettled(underWay)
      await (await session?.catch(() => undefined))?.end()
    },
  }
}
