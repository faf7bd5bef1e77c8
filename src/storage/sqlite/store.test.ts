import { describeStore } from '../contract-suite.ts'
import { openSqliteReader } from './reader.ts'
import { temporaryDatabase } from './testing.ts'
import { upToDate } from './up-to-date.ts'
import { openSqlite } from './writer.ts'

for (const deferred of [false, true]) {
  describeStore(deferred ? 'SQLite with a journal' : 'SQLite', () => {
    const { path, remove } = temporaryDatabase()
    return {
      open: async () => {
        const { core, writes, salt, close } = openSqlite(path, { deferred })
        const reader = openSqliteReader(path)
        return {
          core,
          writes,
          reads: upToDate(reader, core.fold),
          salt,
          close: async () => {
            reader.close()
            close()
          },
        }
      },
      remove,
    }
  })
}
