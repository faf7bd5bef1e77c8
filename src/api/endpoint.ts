/**
 * One declaration per endpoint: what the description says is what is enforced. Every request passes the same steps in
 * the same order: acceptable, authenticated, permitted, within its rate, read, valid; then the endpoint's own work.
 */

import type { HttpBindings } from '@hono/node-server'
import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { check, faultsOf, type Hints, type Present } from '../application/check-schema.ts'
import type { Fault } from '../domain/message-log/fault.ts'
import type { Limits, OccupiedSlot } from '../domain/ports/limits.ts'
import { type Principal, permit } from './access/access.ts'
import { type ApiAuditing, auditedRequest, auditForbidden } from './access/audit.ts'
import type { Authentication, RememberedCredential } from './access/authenticate.ts'
import { type ChangingOperation, type OperationId, RIGHTS } from './access/rights.ts'
import { type DescribedEndpoint, describeEndpoint } from './docs/describe-endpoint.ts'
import type { Idempotency } from './requests/idempotency.ts'
import { requireAcceptable } from './requests/media.ts'
import type { RateLimits } from './requests/rate-limit.ts'
import { readJson } from './requests/request-body.ts'
import { checkQuery, firstValues, orRefuse, refuseFaults } from './requests/validation.ts'
import { Problem } from './respond.ts'

export interface ApiEnv {
  readonly Bindings: Partial<HttpBindings>
  readonly Variables: {
    readonly requestId: string
    readonly headers: Readonly<Record<string, string>>
  }
}

export type ApiApp = OpenAPIHono<ApiEnv>
export type Shape = z.ZodRawShape

/** Who asks, where others than the owner of a bearer value may; `byBearer` is how everybody else is let in. */
export type Admits<Caller> = (context: Context<ApiEnv>, byBearer: () => Promise<Principal>) => Promise<Caller>

export interface Incoming<Params extends Shape, Query extends Shape, Body extends z.ZodType, Caller = Principal> {
  readonly principal: Caller
  /** The bearer as of now: a grant may end or share less meanwhile (OIDC-C7, OIDC-C8). @throws Problem 401, 403 */
  readonly admit: () => Promise<Principal>
  /** Where it `confirms`: holds if the look-up finds it unchanged; refusals before `confirmed` check it first. */
  readonly remembered?: RememberedCredential | undefined
  readonly params: z.output<z.ZodObject<Params>>
  readonly query: Present<z.output<z.ZodObject<Query>>>
  readonly body: Present<z.output<Body>>
  readonly sent: unknown
  readonly context: Context<ApiEnv>
}

export interface Sent {
  readonly body: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, string | undefined>>
}

export interface Inspected {
  readonly faults: readonly Fault[]
  readonly members?: Readonly<Record<string, unknown>> | undefined
  readonly code?: string | undefined
}

export interface Endpoint<Params extends Shape, Query extends Shape, Body extends z.ZodType, Caller = Principal>
  extends DescribedEndpoint {
  /** `false`: it changes nothing, or keeps its own record. Every other request but GET is recorded (ADMIN-C2). */
  readonly audit?: false | undefined
  readonly auditSubject?: (body: Present<z.output<Body>>) => string
  /** Given where the dashboard's cookie may ask as well (OIDC-C9): its user has no rate and no idempotency. */
  readonly admits?: Admits<Caller> | undefined
  readonly patterns?: Readonly<Record<string, string>> | undefined
  readonly params?: z.ZodObject<Params> | undefined
  readonly query?: z.ZodObject<Query> | undefined
  readonly body?: Body | undefined
  /** Tokens that a request takes in the end, if not one; a refusal says when they will be there (SEARCH-Q13). */
  readonly cost?: (sent: unknown) => number
  /** What the schemas cannot say of the request as it was sent; reported together with their faults (SEARCH-Q13). */
  readonly inspect?: (sent: Sent) => Inspected
  readonly hints?: Hints | undefined
  /** Media types of successful answers; JSON unless given. A machine fetching a file may accept anything or nothing. */
  readonly produces?: readonly string[] | 'whatever is accepted' | undefined
  /** It looks up the credential together with what it reads (SEARCH-Q14). */
  readonly confirms?: true | undefined
  readonly handle: (request: Incoming<Params, Query, Body, Caller>) => Promise<Response>
}

export interface Endpoints {
  add<
    Params extends Shape = Shape,
    Query extends Shape = Shape,
    Body extends z.ZodType = z.ZodUnknown,
    Caller = Principal,
  >(
    endpoint: Endpoint<Params, Query, Body, Caller> & {
      /** One that changes ordered objects is an operation of a resource (`resource.ts`). */
      readonly operationId: Exclude<OperationId, ChangingOperation>
    },
  ): void
  addPage(path: string, answer: (context: Context<ApiEnv>) => Response | Promise<Response>): void
  allowed(path: string): readonly string[]
}

const NO_MEMBERS = z.strictObject({})

function membersOf(body: unknown): Sent['body'] {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Sent['body']) : {}
}

export function createEndpoints(
  app: ApiApp,
  guards: {
    readonly authentication: Authentication
    readonly rateLimits: RateLimits
    readonly idempotency: Idempotency
    readonly cursorFaults: (cursor: unknown, pointer: string) => readonly Fault[]
    readonly auditing: ApiAuditing
    readonly addressOf?: (context: Context<ApiEnv>) => string | undefined
  },
): Endpoints {
  const { authentication, rateLimits, idempotency, cursorFaults, auditing, addressOf } = guards
  const countAnonymous = async (context: Context<ApiEnv>): Promise<void> => {
    const address = addressOf?.(context)
    if (address !== undefined) await rateLimits.spendAnonymous(address)
  }
  const paths: { readonly pattern: RegExp; readonly method: string; readonly isExact: boolean }[] = []
  return {
    allowed(path) {
      const fitting = paths.filter(({ pattern }) => pattern.test(path))
      const exact = fitting.filter(({ isExact }) => isExact)
      return (exact.length > 0 ? exact : fitting).map(({ method }) => method)
    },
    addPage(path, answer) {
      paths.push({ pattern: pathPattern({ path }), method: 'GET', isExact: true })
      app.get(path, async (context) => {
        await countAnonymous(context)
        return answer(context)
      })
    },
    add(endpoint) {
      const { rate, produces = ['application/json'], confirms } = endpoint
      const { access } = RIGHTS[endpoint.operationId]
      app.openAPIRegistry.registerPath(describeEndpoint(endpoint))
      const isExact = !endpoint.path.includes('{')
      paths.push({ pattern: pathPattern(endpoint), method: endpoint.method.toUpperCase(), isExact })
      app.on(endpoint.method.toUpperCase(), honoPath(endpoint), async (context) => {
        const { req } = context
        if (produces !== 'whatever is accepted') requireAcceptable(req.header('accept'), produces)
        const authenticate = async (): Promise<Principal> =>
          access.kind === 'anyone' ? NO_USER : authentication.authenticate(req.raw)
        const admit = async (): Promise<Principal> => {
          const caller = await authenticate()
          permit(caller, access, authentication.challenge)
          return caller
        }
        let bearer: Principal | undefined
        const { operationId } = endpoint
        const isAudited = endpoint.method !== 'get' && endpoint.audit !== false && access.kind !== 'anyone'
        const requestOf = (caller: Principal) => ({
          operationId,
          principal: caller,
          address: addressOf?.(context),
          context,
        })
        const known = confirms && authentication.remembered(req.raw)
        const lookUp = (): Promise<Principal> =>
          authenticate().catch(async (error: unknown) => {
            // Only once it proved invalid: a flood from the same proxy does not shut out callers with a credential.
            if (error instanceof Problem) await countAnonymous(context)
            throw error
          })
        const byBearer = async (): Promise<Principal> => {
          bearer = known ? known.principal : await lookUp()
          if (access.kind !== 'anyone') {
            if (!rate) await rateLimits.spend('api', bearer, 1)
          } else if (!endpoint.unlimited) await countAnonymous(context)
          try {
            permit(bearer, access, authentication.challenge)
          } catch (refusal) {
            if (isAudited) await auditForbidden(auditing, requestOf(bearer))
            throw refusal
          }
          return bearer
        }
        const answer = async (remembered: RememberedCredential | undefined): Promise<Response> => {
          const principal = endpoint.admits ? await endpoint.admits(context, byBearer) : await byBearer()
          const payFor = async (cost: number) => (rate && bearer ? rateLimits.spend(rate, bearer, cost) : {})
          try {
            setHeaders(context, await payFor(1))
          } catch (refusal) {
            // Only its body says what it costs: after the wait for one token it would be refused again.
            await payFor(endpoint.cost?.(await readJson(req.raw).catch(() => undefined)) ?? 1)
            throw refusal
          }
          const sent = endpoint.body && (await readJson(req.raw))
          const checked = {
            params: check(endpoint.params ?? NO_MEMBERS, req.param()),
            query: checkQuery(endpoint.query ?? NO_MEMBERS, req.queries(), endpoint.hints),
            body: check(bodySchema(endpoint), sent, '', endpoint.hints),
          }
          const query = firstValues(req.queries())
          const inspected = endpoint.inspect?.({ body: membersOf(sent), query }) ?? { faults: [] }
          refuseFaults(
            [
              ...inspected.faults,
              ...Object.values(checked).flatMap((part) => faultsOf(part)),
              ...cursorFaults(query.cursor, '?cursor'),
            ],
            inspected,
          )
          const incoming = {
            principal: principal as never,
            admit,
            remembered,
            params: orRefuse(checked.params) as never,
            query: orRefuse(checked.query) as never,
            body: orRefuse(checked.body) as never,
            sent,
            context,
          }
          const key = endpoint.idempotent && req.header('idempotency-key')
          if (key === undefined && endpoint.idempotent === 'required') throw keyMissing()
          const caller = bearer
          const detail = endpoint.auditSubject && { detail: endpoint.auditSubject(incoming.body) }
          const handle = (): Promise<Response> =>
            isAudited && caller
              ? auditedRequest(auditing, { ...requestOf(caller), ...detail }, () => endpoint.handle(incoming))
              : endpoint.handle(incoming).catch(async (error: unknown) => {
                  const isMiss = endpoint.countsMisses && error instanceof Problem && error.status === 404
                  // FIRMWARE-F7: callers who guess are counted, callers who know an address are not.
                  if (isMiss) await countAnonymous(context)
                  throw error
                })
          if (key === undefined || !bearer) return handle()
          const identity = { key, principal: bearer, method: req.method, path: new URL(req.url).pathname, body: sent }
          return idempotency.once(identity, handle)
        }
        return known ? believing(context, known, answer, lookUp) : answer(undefined)
      })
    },
  }
}

async function believing(
  context: Context<ApiEnv>,
  known: RememberedCredential,
  answer: (remembered: RememberedCredential) => Promise<Response>,
  lookUp: () => Promise<Principal>,
): Promise<Response> {
  const before = context.get('headers')
  let isConfirmed = false
  const confirmed = (): void => {
    isConfirmed = true
    known.confirmed()
  }
  try {
    return await answer({ ...known, confirmed })
  } catch (refusal) {
    if (isConfirmed) throw refusal
    // A caller that is no longer admitted learns that first, and nothing of the account's limits.
    const after = context.get('headers')
    context.set('headers', before)
    await lookUp()
    context.set('headers', after)
    throw refusal
  }
}

function keyMissing(): Problem {
  const detail = 'Send an Idempotency-Key: any text that you use for this request and its repetitions only.'
  return new Problem(400, 'invalid_idempotency_key', detail)
}

/** Endpoints for anyone do not look at it. */
const NO_USER: Principal = { kind: 'credential', accountId: '', credentialId: '' }

export function setHeaders(context: Context<ApiEnv>, headers: Readonly<Record<string, string>>): void {
  context.set('headers', { ...context.get('headers'), ...headers })
}

function bodySchema({
  body,
  bodyOptional,
}: {
  body?: z.ZodType | undefined
  bodyOptional?: true | undefined
}): z.ZodType {
  if (!body) return z.undefined()
  return bodyOptional ? body.optional() : body
}

type Patterned = Pick<Endpoint<Shape, Shape, z.ZodType>, 'path' | 'patterns'>

function honoPath({ path, patterns = {} }: Patterned): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const pattern = patterns[name]
    return pattern === undefined ? `:${name}` : `:${name}{${pattern}}`
  })
}

function pathPattern({ path, patterns = {} }: Patterned): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, (_, name: string) => patterns[name] ?? '[^/]+')
  return new RegExp(`^${source}$`)
}

/** Exports that run now, by account (SEARCH-C6), and when a place will be free again (SEARCH-Q13). */
const EXPORTS_PER_ACCOUNT = 2
/** The estimate before anything has been sent. */
const UNKNOWN_SECONDS = 10
const MAX_SECONDS = 3600

export interface RunningExport {
  readonly progress: (share: number) => void
  readonly end: () => void
}

export interface Exports {
  /** @param tokensIn seconds until the account can pay for an export @throws Problem 429 `too_many_exports` */
  begin(accountId: string, tokensIn: () => Promise<number>): Promise<RunningExport>
}

export function createExports(limits: Limits, now: () => number): Exports {
  return {
    async begin(accountId, tokensIn) {
      const place = await limits.occupy(`export ${accountId}`, EXPORTS_PER_ACCOUNT, '0')
      if (!('free' in place)) {
        const free = Math.min(...place.map((taken) => secondsLeft(taken, now())))
        const seconds = Math.max(await tokensIn(), free)
        const detail = `An account may run ${EXPORTS_PER_ACCOUNT} exports at once; wait until one has ended.`
        throw new Problem(429, 'too_many_exports', detail, { headers: { 'retry-after': String(seconds) } })
      }
      return { progress: (share) => place.tell(String(share)), end: () => place.free() }
    },
  }
}

function secondsLeft({ since, reported }: OccupiedSlot, now: number): number {
  const share = Number(reported)
  if (share <= 0) return UNKNOWN_SECONDS
  const seconds = Math.ceil((((now - since) / 1000) * (1 - share)) / share)
  return Math.max(1, Math.min(MAX_SECONDS, seconds))
}
