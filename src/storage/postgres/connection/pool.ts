/** Connections lent out one at a time; broken ones are replaced on the next use. */
import type { PostgresAddress } from './address.ts'
import { ConnectionLost } from './failures.ts'
import { Session } from './session.ts'

export interface Pool {
  use<T>(work: (session: Session) => Promise<T>): Promise<T>
  rows: Session['rows']
  value: Session['value']
  close(): Promise<void>
}

export function createPool(address: PostgresAddress, most: number): Pool {
  const idle: Session[] = []
  const all = new Set<Session>()
  const waiting: (() => void)[] = []
  let lent = 0
  let isClosed = false

  const take = async (): Promise<Session> => {
    while (lent >= most && !isClosed) await new Promise<void>((resolve) => waiting.push(resolve))
    if (isClosed) throw new ConnectionLost('The database is closed.')
    lent++
    try {
      for (let session = idle.pop(); session; session = idle.pop()) {
        if (!session.isBroken) return session
        all.delete(session)
      }
      const session = await Session.open(address)
      all.add(session)
      return session
    } catch (error) {
      giveBack(undefined)
      throw error
    }
  }
  const giveBack = (session: Session | undefined): void => {
    lent--
    if (session?.isBroken || isClosed) {
      if (session) all.delete(session)
      void session?.end()
    } else if (session) idle.push(session)
    waiting.shift()?.()
  }

  const use: Pool['use'] = async (work) => {
    const session = await take()
    try {
      return await work(session)
    } finally {
      giveBack(session)
    }
  }

  return {
    use,
    rows: (text, values) => use((session) => session.rows(text, values)),
    value: (text, values) => use((session) => session.value(text, values)),
    async close() {
      isClosed = true
      for (const resume of waiting.splice(0)) resume()
      await Promise.all([...all].map((session) => session.end()))
    },
  }
}
