/** All scans of the log, in steps of a few milliseconds (SEARCH-Q12), and the same at once. */
import type { Database } from 'better-sqlite3'
import type { LogReads } from '../../../domain/ports/storage.ts'
import { allSteps, type InSteps, type Steps } from '../../../threads/turns.ts'
import { eachOperation } from '../../each-operation.ts'
import { countSteps } from './command-count.ts'
import { exportSteps } from './command-export.ts'
import { pageSteps } from './command-search.ts'
import { logPageSteps } from './log-page.ts'
import { networkSteps } from './network-search.ts'
import { logSlices, type Stopwatch } from './slices.ts'

/** @param salt as for `logIdToUuid` */
export function logSteps(db: Database, stopwatch: Stopwatch, salt: bigint): InSteps<LogReads> {
  const slices = logSlices(db, stopwatch)
  const search = { searchCommands: pageSteps(db, slices), ...countSteps(db, slices) }
  return {
    readLogPage: logPageSteps(db, search, stopwatch),
    ...search,
    ...networkSteps(db, stopwatch),
    ...exportSteps(db, slices, salt),
  }
}

/** For a caller with the connection to itself: a command line tool, a test. */
export function logReads(steps: InSteps<LogReads>): LogReads {
  return eachOperation(
    steps,
    (inSteps) =>
      async (...args) =>
        allSteps(inSteps(...args) as Steps<unknown>),
  )
}
