/** All records of one kind that are asked for, read in pages, so that nobody waits long for one read. */
import { PART } from './fitting.ts'
import type { RecordKey, RecordKind, RecordOfKind, RecordQuery } from './records.ts'

/** Whoever can list records: the reads of the API and the core's store. */
export interface ListsRecords {
  listRecords<Kind extends RecordKind>(kind: Kind, query: RecordQuery<Kind>): Promise<readonly RecordOfKind<Kind>[]>
}

/** In the order of their keys; no page is empty. */
export async function* recordPages<Kind extends RecordKind>(
  reads: ListsRecords,
  kind: Kind,
  where?: RecordQuery<Kind>['where'],
  limit = PART,
): AsyncGenerator<readonly RecordOfKind<Kind>[]> {
  let after: RecordKey<Kind> | undefined
  do {
    const page = await reads.listRecords(kind, { where, after, limit })
    if (page.length > 0) yield page
    // A record has the members of its key.
    after = page.length < limit ? undefined : (page.at(-1) as unknown as RecordKey<Kind>)
  } while (after)
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
