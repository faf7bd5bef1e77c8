import { fittingOfChargePoints, fittingRecords, PART } from '../domain/records/all-records.ts'
import {
  declarationOf,
  type RecordKey,
  type RecordKind,
  type RecordOfKind,
  type RecordQuery,
} from '../domain/records/records.ts'
import type { Api } from './api-parts.ts'
import { pageOf } from './list-page.ts'

interface RecordList<Kind extends RecordKind> {
  readonly name: string
  readonly kind: Kind
  readonly where?: RecordQuery<Kind>['where']
  readonly of?: readonly string[] | undefined
  readonly newestFirst?: true | undefined
  /** What no index knows. Others are passed over until the page is full. */
  readonly fits?: ((row: RecordOfKind<Kind>) => boolean) | undefined
  /** Members of the key that tell one row from another; all that `where` does not fix unless given. */
  readonly place?: readonly string[] | undefined
  readonly show: (rows: readonly RecordOfKind<Kind>[]) => readonly object[] | Promise<readonly object[]>
}

type Members = Readonly<Record<string, unknown>>

export function recordPage<Kind extends RecordKind>(
  api: Pick<Api, 'cursors' | 'now' | 'reads'>,
  request: Parameters<typeof pageOf>[1],
  list: RecordList<Kind>,
): ReturnType<typeof pageOf> {
  const { name, kind, of, newestFirst, fits, show } = list
  const where = (list.where ?? { accountId: request.principal.accountId }) as Members
  const { key } = declarationOf(kind)
  const names = list.place ?? key.slice(key.findIndex((column) => of !== undefined || !isFixed(where[column])))
  const behind = (text: string): RecordKey<Kind> => {
    const values = names.length === 1 ? [text] : (JSON.parse(text) as unknown[])
    const named = { ...where, ...Object.fromEntries(names.map((column, at) => [column, values[at]])) } as Members
    return Object.fromEntries(key.map((column) => [column, named[column]])) as RecordKey<Kind>
  }
  const read = (selected: unknown, limit: number, after: RecordKey<Kind> | undefined) =>
    api.reads.listRecords(kind, { where: selected, newestFirst, limit, after } as RecordQuery<Kind>)
  return pageOf<RecordOfKind<Kind>>(api, request, {
    name,
    place: (row) => {
      const values = names.map((column) => (row as unknown as Members)[column])
      return [values.length === 1 ? String(values[0]) : JSON.stringify(values)]
    },
    rows(limit, last) {
      const after = last && behind(last[0])
      if (of) {
        type Row = RecordOfKind<Kind> & { readonly chargePointId: string }
        const ofOne = (chargePointId: string, from: Row | undefined) =>
          read({ chargePointId }, PART, from as RecordKey<Kind> | undefined) as Promise<readonly Row[]>
        return fittingOfChargePoints<Row, Row>(of, ofOne, fits ?? (() => true), limit, after as Row | undefined)
      }
      if (!fits) return read(where, limit, after)
      type Row = RecordOfKind<Kind> & RecordKey<Kind>
      const some = (from: RecordKey<Kind> | undefined) => read(where, PART, from) as Promise<readonly Row[]>
      return fittingRecords<Row, RecordKey<Kind>>(some, fits, limit, after)
    },
    show,
  })
}

function isFixed(condition: unknown): boolean {
  return condition !== undefined && typeof condition !== 'object'
}
