/** Declares what a resource's endpoints share; answers follow from the declaration and what the handler returns. */

import type { z } from '@hono/zod-openapi'
import { chargePointParams } from '../application/schemas/charge-points.ts'
import { json as described, located } from '../application/schemas/common.ts'
import type { Refusal } from '../domain/ports/refusal.ts'
import type { ChargePointView } from '../domain/ports/storage-records.ts'
import { visibleChargePoint } from './access/access.ts'
import type { Principal } from './access/principal.ts'
import { type ChangingOperation, type OperationId, type Ordered, requireHeld } from './access/rights.ts'
import type { Api } from './api-parts.ts'
import type { Endpoint, Incoming, Shape } from './endpoint.ts'
import { json, noContent, orRefused } from './respond.ts'

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

interface Replaced {
  readonly before: unknown
  readonly shown: object
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
    const put = shown as Replaced
    return put.before ? json(put.shown) : json(put.shown, 201, { location: address })
  }
  const isMade = (created || begun) && shown.id !== undefined
  const headers = isMade ? { location: `${address}/${encodeURIComponent(shown.id)}` } : undefined
  return json(shown, created ? 201 : accepted || begun ? 202 : 200, headers)
}

function filledIn(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}
