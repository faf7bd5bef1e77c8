/** Declares what a resource's endpoints share; answers follow from the declaration and what the handler returns. */

import type { z } from '@hono/zod-openapi'
import { chargePointParams } from '../application/schemas/charge-points.ts'
import { json as described, located, PAGE_DEFAULT } from '../application/schemas/common.ts'
import type { Fault } from '../domain/message-log/fault.ts'
import type { ChargePointView, Refusal } from '../domain/ports/storage-records.ts'
import { fittingOfChargePoints, fittingRecords, PART } from '../domain/records/all-records.ts'
import {
  declarationOf,
  type RecordKey,
  type RecordKind,
  type RecordOfKind,
  type RecordQuery,
} from '../domain/records/records.ts'
import { type Principal, visibleChargePoint } from './access/access.ts'
import { type ChangingOperation, type OperationId, type Ordered, requireHeld } from './access/rights.ts'
import type { Api } from './api-parts.ts'
import type { Endpoint, Incoming, Shape } from './endpoint.ts'
import { invalidRequest, json, noContent, orRefused, type Problem } from './respond.ts'

type None = Record<never, never>
type Answer = readonly [schema: z.ZodType, description: string]

interface Answers {
  /** 200. */
  readonly ok?: Answer | undefined
  /** 201, with the address of what was made: this one, and the `id` of the answer. */
  readonly created?: Answer | undefined
  /** 202. */
  readonly accepted?: Answer | undefined
  /** 202, with an address as of what was made. */
  readonly begun?: Answer | undefined
  /** 200, or 201 with its address where it is new: what is put at an address of its own. */
  readonly replaced?: readonly [schema: z.ZodType, before?: string, isNew?: string] | undefined
  /** 204: what has become of it. */
  readonly done?: string | undefined
}

type Declared = 'method' | 'path' | 'operationId' | 'tag' | 'summary' | 'params' | 'responses' | 'handle'

interface Operation<Shared extends Shape, Found, Params extends Shape, Query extends Shape, Body extends z.ZodType>
  extends Answers,
    Omit<Endpoint<Shared & Params, Query, Body>, Declared> {
  readonly params?: z.ZodObject<Params> | undefined
  readonly responses?: Endpoint<Shared & Params, Query, Body>['responses'] | undefined
  readonly handle: (request: Incoming<Shared & Params, Query, Body> & Found) => Promise<unknown>
}

type Some<One> = One | readonly One[] | undefined

/** What an operation that changes ordered objects says: which those are, if there are any (OIDC-C14). */
type Holds<Id extends OperationId, Request> = Id extends ChangingOperation
  ? { readonly holds: (request: Request) => Some<Ordered> | Promise<Some<Ordered>> }
  : { readonly holds?: undefined }

type Add<Shared extends Shape, Found> = <
  Id extends OperationId,
  Params extends Shape = None,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodUnknown,
>(
  path: string,
  operationId: Id,
  summary: string,
  operation: Operation<Shared, Found, Params, Query, Body> &
    Holds<Id, Incoming<Shared & NoInfer<Params>, NoInfer<Query>, NoInfer<Body>> & Found>,
) => void

type Resource<Shared extends Shape, Found> = Readonly<
  Record<Endpoint<Shape, Shape, z.ZodType>['method'], Add<Shared, Found>>
>

interface Common<Shared extends Shape, Found> {
  readonly tag: string
  readonly path: string
  readonly params?: z.ZodObject<Shared> | undefined
  readonly find?: (request: {
    readonly principal: Principal
    readonly params: z.output<z.ZodObject<Shared>>
  }) => Promise<Found>
}

/**
 * @example const tariffs = resource(api, { tag: 'Tariffs', path: '/2/tariffs' })
 * tariffs.get('', 'listTariffs', 'List tariffs', { ok: [TariffListSchema, 'All tariffs'], handle: … })
 */
export function resource<Shared extends Shape = None, Found = unknown>(
  { endpoints }: Pick<Api, 'endpoints'>,
  { tag, path: root, params: shared, find }: Common<Shared, Found>,
): Resource<Shared, Found> {
  const addWith =
    (method: keyof Resource<Shared, Found>): Add<Shared, Found> =>
    (below, operationId, summary, declared) => {
      const { ok, created, accepted, begun, replaced, done, params, responses, holds, handle, ...operation } = declared
      const path = root + below
      const answers = { ok, created, accepted, begun, replaced, done }
      endpoints.add({
        ...operation,
        method,
        path,
        // `holds` is asked here, and nowhere else.
        operationId: operationId as Exclude<OperationId, ChangingOperation>,
        tag,
        summary,
        ...paramsOf(shared, params),
        responses: { ...responses, ...successes(answers) },
        async handle(request) {
          const { params: given, principal } = request as unknown as Incoming<Shared, Shape, z.ZodType>
          const found = await find?.({ principal, params: given })
          const whole = { ...request, ...found } as never
          const held = principal.kind === 'token' && (await holds?.(whole))
          if (held) requireHeld(principal, operationId, [held].flat())
          const answer = await handle(whole)
          return responseOf(answer, answers, filledIn(path, given))
        },
      })
    }
  return {
    get: addWith('get'),
    post: addWith('post'),
    put: addWith('put'),
    patch: addWith('patch'),
    delete: addWith('delete'),
  }
}

export function chargePointResource(
  api: Pick<Api, 'endpoints' | 'reads'>,
  { path, ...common }: Pick<Common<Shape, unknown>, 'tag' | 'path'>,
): Resource<(typeof chargePointParams)['shape'], { readonly chargePoint: ChargePointView }> {
  return resource(api, {
    ...common,
    path: `/2/evse-controllers/{evseController}${path}`,
    params: chargePointParams,
    find: async ({ principal, params }) => ({
      chargePoint: await visibleChargePoint(api.reads, principal, params.evseController),
    }),
  })
}

function paramsOf(
  shared: z.ZodObject | undefined,
  own: z.ZodObject | undefined,
): { readonly params?: z.ZodObject | undefined } {
  if (!shared) return own ? { params: own } : {}
  return { params: own ? shared.extend(own.shape) : shared }
}

type Responses = Endpoint<Shape, Shape, z.ZodType>['responses']

function successes({ ok, created, accepted, begun, replaced, done }: Answers): Responses {
  const [schema, before = 'It was there before', isNew = 'It is new'] = replaced ?? []
  return {
    ...(schema && { 200: described(schema, before), 201: located(schema, isNew) }),
    ...(ok && { 200: described(...ok) }),
    ...(created && { 201: located(...created) }),
    ...(accepted && { 202: described(...accepted) }),
    ...(begun && { 202: located(...begun) }),
    ...(done !== undefined && { 204: { description: done } }),
  }
}

function responseOf(answer: unknown, { created, accepted, begun, replaced }: Answers, address: string): Response {
  if (answer instanceof Response) return answer
  if (answer === undefined) return noContent()
  const shown = orRefused(answer as { readonly id?: string | undefined } | Refusal)
  if (replaced) {
    const put = shown as { readonly before: unknown; readonly shown: object }
    return put.before ? json(put.shown) : json(put.shown, 201, { location: address })
  }
  const isMade = (created || begun) && shown.id !== undefined
  const headers = isMade ? { location: `${address}/${encodeURIComponent(shown.id)}` } : undefined
  return json(shown, created ? 201 : accepted || begun ? 202 : 200, headers)
}

function filledIn(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

/** Lists page by page: the cursor is bound to the account, the list and its query parameters (SEARCH-Q7, API-G2). */
const SENTENCES = {
  invalid_cursor: 'is not a cursor of this server: send meta.nextCursor as it was received',
  cursor_expired: 'is older than 7 days: start again with the first page',
  cursor_mismatch: 'belongs to another query: repeat the request of the first page unchanged',
}

/** A cursor of ours whose position is of another shape: an older version wrote it. */
export function foreignCursor(): Problem {
  return invalidRequest([{ pointer: '?cursor', code: 'invalid_cursor', message: SENTENCES.invalid_cursor }])
}

/** What is wrong with a cursor by itself; whether it fits the query shows when the query is in order (SEARCH-Q13). */
export function cursorFaults(
  { cursors, now }: Pick<Api, 'cursors' | 'now'>,
  cursor: unknown,
  pointer: string,
): readonly Fault[] {
  const code = typeof cursor === 'string' ? cursors.judge(cursor, now()) : undefined
  return code === undefined ? [] : [{ pointer, code, message: SENTENCES[code] }]
}

export function openCursor(
  { cursors, now }: Pick<Api, 'cursors' | 'now'>,
  cursor: string,
  query: unknown,
  pointer: string,
): readonly (number | string)[] {
  const opened = cursors.open(cursor, query, now())
  if (opened.ok) return opened.position
  throw invalidRequest([{ pointer, code: opened.code, message: SENTENCES[opened.code] }])
}

export function listQuery(
  list: string,
  principal: Principal,
  query: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { cursor: _, ...rest } = query
  return { list, account: principal.accountId, query: rest }
}

export type CursorKey = readonly (number | string)[] | readonly []

interface List<Row, At extends CursorKey> {
  readonly name: string
  readonly bound?: object | undefined
  readonly place?: (row: Row) => At
  readonly isPlace?: (position: CursorKey) => position is At
  readonly rows: (limit: number, after: At | undefined) => Promise<readonly Row[]>
  readonly show: (rows: readonly Row[]) => readonly object[] | Promise<readonly object[]>
}

export async function pageOf<Row, At extends CursorKey = readonly [string]>(
  api: Pick<Api, 'cursors' | 'now'>,
  { principal, query }: { readonly principal: Principal; readonly query: PageQuery },
  { name, bound, place = idOf as never, isPlace = isText as never, rows, show }: List<Row, At>,
): Promise<{ readonly data: readonly object[]; readonly meta: { readonly nextCursor?: string | undefined } }> {
  const { limit = PAGE_DEFAULT, cursor } = query
  const sealedFor = listQuery(name, principal, { ...query, limit, ...bound })
  const after = cursor === undefined ? undefined : openCursor(api, cursor, sealedFor, '?cursor')
  if (after && !isPlace(after)) throw foreignCursor()
  const found = await rows(limit + 1, after)
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  const nextCursor = last && api.cursors.seal(place(last), sealedFor, api.now())
  return { data: await show(shown), meta: { nextCursor } }
}

interface PageQuery {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

function idOf({ id }: { readonly id: string }): readonly [string] {
  return [id]
}

function isText(position: CursorKey): position is readonly [string] {
  return position.length === 1 && typeof position[0] === 'string'
}

export function isNumber(position: CursorKey): position is readonly [number] {
  return position.length === 1 && typeof position[0] === 'number'
}

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
