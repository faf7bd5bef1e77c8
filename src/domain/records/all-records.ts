/** All matching records of one kind, read in pages, so that no other read waits long. */
import { everyPage } from '../selector.ts'
import type { RecordKey, RecordKind, RecordOfKind, RecordQuery } from './records.ts'

/** A source of records: the reads of the API, or the core's store. */
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

export async function allRecords<Kind extends RecordKind>(
  reads: ListsRecords,
  kind: Kind,
  where?: RecordQuery<Kind>['where'],
): Promise<readonly RecordOfKind<Kind>[]> {
  const found: RecordOfKind<Kind>[] = []
  for await (const page of recordPages(reads, kind, where)) found.push(...page)
  return found
}

export const PART = 500

/** Reads on until enough rows fit; the others are filtered here, page by page. */
export async function fittingRecords<Row extends Key, Key>(
  list: (after: Key | undefined) => Promise<readonly Row[]>,
  fits: (row: Row) => boolean,
  limit: number,
  after: Key | undefined,
): Promise<readonly Row[]> {
  const found: Row[] = []
  let behind = after
  for (;;) {
    const page = await list(behind)
    for (const row of page) {
      if (fits(row)) found.push(row)
      if (found.length === limit) return found
    }
    behind = page.at(-1)
    if (!behind || page.length < PART) return found
  }
}

export async function fittingOfChargePoints<Row extends Key, Key extends { readonly chargePointId: string }>(
  chargePointIds: readonly string[],
  list: (chargePointId: string, after: Key | undefined) => Promise<readonly Row[]>,
  fits: (row: Row) => boolean,
  limit: number,
  after: Key | undefined,
): Promise<readonly Row[]> {
  const found: Row[] = []
  for (const id of [...new Set(chargePointIds)].sort()) {
    if (found.length >= limit) break
    if (after && id < after.chargePointId) continue
    const behind = after?.chargePointId === id ? after : undefined
    found.push(...(await fittingRecords((from: Key | undefined) => list(id, from), fits, limit - found.length, behind)))
  }
  return found
}
