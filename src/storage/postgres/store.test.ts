import { afterAll } from 'vitest'
import { empty, emptyDatabase, type PostgresDatabase } from '../../../test/postgres/databases.ts'
import { describeStore } from '../../../test/support/storage-contract/suite.ts'
import { databaseAt } from '../open.ts'

/** One database for all of these tests, which follow each other. */
let database: Promise<PostgresDatabase> | undefined
afterAll(async () => (await database)?.drop())

describeStore('PostgreSQL', () => {
  let isEmpty = false
  return {
    open: async () => {
      database ??= emptyDatabase()
      const { url } = await database
      if (!isEmpty) await empty(await database)
      isEmpty = true
      const store = await databaseAt(url).openStore()
      return { ...store, close: async () => store.close() }
    },
    remove: () => undefined,
  }
})
