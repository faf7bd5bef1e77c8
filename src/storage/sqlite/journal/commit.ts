/** The commit of a group: one transaction, each message whole or not at all, durable before any answer. */

import type { Database } from 'better-sqlite3'
import type { ChangeSet, CommitResult } from '../../../domain/ports/storage-records.ts'
import { asError } from '../../storage-error.ts'
import { isContentFault } from '../storage-error.ts'
import type { ChangeSetWriter, LogNames } from './apply-change-set.ts'
import type { Journal } from './journal.ts'

export type Commit = (group: readonly ChangeSet[]) => readonly CommitResult[]

/**
 * Applies the sets in order. A set that fails leaves no trace, and neither do later ones of its charge point: they
 * were decided on a state that never came to be. Throws, with nothing stored, when the database itself refuses.
 * Savepoints copy every page before its first change. As hardly a set ever fails, a group is first written without
 * them; only when one of its sets is at fault the group is rolled back and written again, a savepoint per set.
 */
export function groupCommit(
  db: Database,
  names: LogNames,
  foreignChanges: () => number,
  apply: ChangeSetWriter,
  journal: Pick<Journal, 'begin' | 'append' | 'rewritten'>,
  synced: (ms: number) => void = () => undefined,
): Commit {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const isolate = isolation(db, names, apply)
  let seen = foreignChanges()

  const transaction = (group: readonly ChangeSet[], write: () => readonly CommitResult[]): readonly CommitResult[] => {
    begin.run()
    journal.begin()
    try {
      // Another process may have assigned dictionary keys, renamed a charge point's log or placed the journal.
      const current = foreignChanges()
      if (current !== seen) {
        names.forget()
        journal.rewritten()
      }
      seen = current
      const results = write()
      const appended = journal.append(group.filter((_, index) => results[index]?.ok))
      const started = performance.now()
      commit.run()
      synced(performance.now() - started)
      appended()
      return results
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      names.forget()
      throw error
    }
  }

  return (group) => {
    try {
      return transaction(group, () => applyAll(group, apply))
    } catch (error) {
      if (!(error instanceof SetFault)) throw error
      return transaction(group, () => applyEach(group, isolate))
    }
  }
}

/** One of the sets is at fault, not the database. */
class SetFault extends Error {}

function applyAll(group: readonly ChangeSet[], apply: ChangeSetWriter): readonly CommitResult[] {
  try {
    return group.map(apply)
  } catch (error) {
    throw isContentFault(error) ? new SetFault('A change set cannot be stored.', { cause: error }) : error
  }
}

function applyEach(group: readonly ChangeSet[], isolate: (set: ChangeSet) => CommitResult): readonly CommitResult[] {
  const failed = new Map<string, CommitResult>()
  return group.map((set) => {
    const earlier = failed.get(set.chargePointId)
    if (earlier) return earlier
    const result = isolate(set)
    if (!result.ok) failed.set(set.chargePointId, result)
    return result
  })
}

function isolation(db: Database, names: LogNames, apply: ChangeSetWriter): (set: ChangeSet) => CommitResult {
  const savepoint = db.prepare('SAVEPOINT message')
  const release = db.prepare('RELEASE message')
  const undo = db.prepare('ROLLBACK TO message')
  return (set) => {
    savepoint.run()
    try {
      const applied = apply(set)
      release.run()
      return applied
    } catch (error) {
      if (!isContentFault(error)) throw error
      undo.run()
      release.run()
      names.forget()
      return { ok: false, error: asError(error) }
    }
  }
}
