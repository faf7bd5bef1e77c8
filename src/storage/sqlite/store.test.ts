import { describeStore } from '../contract-suite.ts'
import { openSqliteReader } from './reader.ts'
import { temporaryDatabase } from './testing.ts'
import { openSqlite } from './writer.ts'

describeStore('SQLite', () => {
  const { path, remove } = temporaryDatabase()
  return {
    open: async () => {
      const { core, writes, salt, close } = openSqlite(path)
      const reader = openSqliteReader(path)
      return {
        core,
        writes,
        reads: reader,
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
