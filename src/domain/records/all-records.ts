/** All records of one kind that are asked for, read in pages, so that nobody waits long for one read. */
import { everyPage } from '../every-page.ts'
import { PART } from './fitting.ts'
import type { RecordKey, RecordKind, RecordOfKind, RecordQuery } from './records.ts'

/** Whoever can list records: the reads of the API and the core's store. */
export interface ListsRecords {
  listRecords<Kind extends RecordKind>(kind: Kind, query: RecordQuery<Kind>): Promise<readonly RecordOfKind<Kind>[]>
}

/** In the order of their keys; no page is empty. */
export function recordPages<Kind extends RecordKind>(
  reads: ListsRecords,
  kind: Kind,
  where?: RecordQuery<Kind>['where'],
  limit = PART,
): AsyncGenerator<readonly RecordOfKind<Kind>[]> {
  // A record has the members of its key.
  return everyPage(
    (last) => reads.listRecords(kind, { where, after: last as unknown as RecordKey<Kind>, limit }),
    limit,
  )
}

/** In the order of their keys. */
export async function allRecords<Kind extends RecordKind>(
  reads: ListsRecords,
  kind: Kind,
  where?: RecordQuery<Kind>['where'],
): Promise<readonly RecordOfKind<Kind>[]> {
  const found: RecordOfKind<Kind>[] = []
  for await (const page of recordPages(reads, kind, where)) found.push(...page)
  return found
}
