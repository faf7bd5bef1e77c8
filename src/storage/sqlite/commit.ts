/** The commit of a group: one transaction, a savepoint per message, durable before anything is answered. */
import type { Database } from 'better-sqlite3'
import type { ChangeSet, CommitResult } from '../store.ts'
import { changeSetWriter } from './apply-change-set.ts'
import type { LogNames } from './dictionary.ts'
import { asError, isContentFault } from './storage-error.ts'

export type Commit = (group: readonly ChangeSet[]) => readonly CommitResult[]

/**
 * Applies the sets in order. A set that fails leaves no trace, and neither do later ones of its charge point: they
 * were decided on a state that never came to be. Throws, with nothing stored, when the database itself refuses.
 */
export function groupCommit(db: Database, names: LogNames, foreignChanges: () => number): Commit {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const isolate = isolation(db, names)
  let seen = foreignChanges()

  return (group) => {
    begin.run()
    try {
      // Another process may have given out dictionary keys or renamed a charge point's log.
      const current = foreignChanges()
      if (current !== seen) names.forget()
      seen = current
      const results = applyGroup(group, isolate)
      commit.run()
      return results
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      names.forget()
      throw error
    }
  }
}

function applyGroup(group: readonly ChangeSet[], isolate: (set: ChangeSet) => CommitResult): readonly CommitResult[] {
  const failed = new Map<string, CommitResult>()
  return group.map((set) => {
    const earlier = failed.get(set.chargePointId)
    if (earlier) return earlier
    const result = isolate(set)
    if (!result.ok) failed.set(set.chargePointId, result)
    return result
  })
}

const APPLIED: CommitResult = { ok: true }

function isolation(db: Database, names: LogNames): (set: ChangeSet) => CommitResult {
  const apply = changeSetWriter(db, names)
  const savepoint = db.prepare('SAVEPOINT message')
  const release = db.prepare('RELEASE message')
  const undo = db.prepare('ROLLBACK TO message')
  return (set) => {
    savepoint.run()
    try {
      apply(set)
    } catch (error) {
      if (!isContentFault(error)) throw error
      undo.run()
      release.run()
      names.forget()
      return { ok: false, error: asError(error) }
    }
    release.run()
    return APPLIED
  }
}
