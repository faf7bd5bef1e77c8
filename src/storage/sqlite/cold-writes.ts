import type { Database } from 'better-sqlite3'
import type { Writes } from '../../domain/ports/storage.ts'
import { coldWrites } from '../cold/cold-port.ts'
import { sqliteDialect } from './dialect.ts'
import type { LogNames } from './journal/apply-change-set.ts'
import type { Journal } from './journal/journal.ts'
import { worker, writeRun } from './run-cold.ts'

type Shared = ReturnType<typeof coldWrites>
type Arguments = readonly unknown[]

/** The charge point whose registration a write changes. */
const CONCERNED: { readonly [Name in keyof Shared]?: (args: Parameters<Shared[Name]>) => string } = {
  createChargePoint: ([{ id }]) => id,
  updateChargePoint: ([, id]) => id,
  deleteChargePoint: ([, id]) => id,
}

export function sqliteWrites(db: Database, names: LogNames, journal: Journal): Shared {
  const run = writeRun(db, worker(db))
  const writes = coldWrites(sqliteDialect, () => run)
  /** The station's earlier reports are in its tables before it. */
  const place = (name: string, args: Arguments): void => {
    const concerned = CONCERNED[name as keyof Shared] as ((args: Arguments) => string) | undefined
    if (concerned) journal.flushFor([concerned(args)])
  }
  const placing = (name: keyof typeof CONCERNED) => {
    const write = writes[name] as (...args: Arguments) => Promise<unknown>
    return async (...args: Arguments): Promise<unknown> => {
      place(name, args)
      const done = write(...args)
      // A former owner's log may have lost its name.
      names.forget()
      return done
    }
  }
  const recorded: Writes['recorded'] = async (event, name, args) => {
    place(name, args)
    const done = writes.recorded(event, name, args)
    if (name in CONCERNED) names.forget()
    return done
  }
  const concerned = Object.keys(CONCERNED).map((name) => [name, placing(name as keyof Shared)])
  return { ...writes, ...(Object.fromEntries(concerned) as Partial<Shared>), recorded }
}
