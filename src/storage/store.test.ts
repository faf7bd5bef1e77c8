import { openStore, temporaryDatabase } from '../../test/support/storage/testing.ts'
import { describeStore } from '../../test/support/storage-contract/suite.ts'
import type { CoreStore } from '../domain/ports/storage.ts'
import type { Store } from './database.ts'

for (const settled of [false, true]) {
  describeStore(settled ? 'SQLite, each commit put in place' : 'SQLite, with a journal', () => {
    const { path, remove } = temporaryDatabase()
    return {
      open: async () => {
        const store = openStore(path)
        return { ...store, core: settled ? settling(store) : store.core, close: async () => store.close() }
      },
      remove,
    }
  })
}

/** As when a fold comes after every group. */
function settling({ core, placing }: Store): CoreStore {
  return {
    ...core,
    async commit(group) {
      const results = await core.commit(group)
      await placing.all()
      return results
    },
  }
}
