/** Everything that scans the log, in steps of a few milliseconds (SEARCH-Q12), and the same done at once. */
import type { Database } from 'better-sqlite3'
import type { LogPage, Reads } from '../../../domain/ports/storage.ts'
import { allSteps, type Steps } from '../../../threads/turns.ts'
import { countSteps } from './command-count.ts'
import { type ExportSteps, exportSteps } from './command-export.ts'
import { pageSteps, type SearchSteps } from './command-search.ts'
import { logPageSteps } from './log-page.ts'
import { type NetworkSteps, networkSteps } from './network-search.ts'
import { logSlices, type Stopwatch } from './slices.ts'

export interface LogSteps extends SearchSteps, ExportSteps, NetworkSteps {
  readLogPage(...query: Parameters<Reads['readLogPage']>): Steps<LogPage>
}

/** @param salt as for `logIdToUuid` */
export function logSteps(db: Database, stopwatch: Stopwatch, salt: bigint): LogSteps {
  const slices = logSlices(db, stopwatch)
  const search = { searchCommands: pageSteps(db, slices), ...countSteps(db, slices) }
  return {
    readLogPage: logPageSteps(db, search, stopwatch),
    ...search,
    ...networkSteps(db, stopwatch),
    ...exportSteps(db, slices, salt),
  }
}

/** For who has the connection to himself: a command line tool, a test. */
export function logReads(steps: LogSteps): Pick<Reads, keyof LogSteps> {
  return {
    readLogPage: async (query) => allSteps(steps.readLogPage(query)),
    searchCommands: async (query) => allSteps(steps.searchCommands(query)),
    searchNetwork: async (query) => allSteps(steps.searchNetwork(query)),
    exportCommands: async (query, format) => allSteps(steps.exportCommands(query, format)),
    countCommands: async (query, scanLimit) => allSteps(steps.countCommands(query, scanLimit)),
    commandMethods: async (...query) => allSteps(steps.commandMethods(...query)),
  }
}
