import type { CoreStore } from '../ports/storage.ts'
import { describeStore } from './contract-suite.ts'
import { openStore, temporaryDatabase } from './testing.ts'

for (const settled of [false, true]) {
  describeStore(settled ? 'SQLite, each commit put in place' : 'SQLite, with a journal', () => {
    const { path, remove } = temporaryDatabase()
    return {
      open: async () => {
        const store = openStore(path)
        return { ...store, core: settled ? settling(store.core) : store.core, close: async () => store.close() }
      },
      remove,
    }
  })
}

/** As when a fold comes after every group. */
function settling(core: CoreStore): CoreStore {
  return {
    ...core,
    async commit(group) {
      const results = await core.commit(group)
      await core.fold()
      return results
    },
  }
}
