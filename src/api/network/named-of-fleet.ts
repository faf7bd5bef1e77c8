/** Named settings of a fleet: configurations, sets of monitors and local lists have the same endpoints. */
import type { z } from '@hono/zod-openapi'
import { ConfigurationStatusSchema, configurationParams, statusQuery } from '../../application/configuration/schemas.ts'
import { pageQuery } from '../../application/schemas/common.ts'
import { countsOf, type StationStatus } from '../../domain/configuration/status.ts'
import type { IntentState } from '../../domain/intents/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { RecordOfKind } from '../../domain/records/records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { grantOf, sharedChargePoints, withheldFrom } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { pageOf } from '../list-page.ts'
import { notFound, Problem } from '../problem.ts'
import { recordPage } from '../record-page.ts'
import { resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

type Kind = 'configurations' | 'monitor_sets' | 'local_lists'

interface Put<Body> {
  readonly principal: Principal
  readonly accountId: string
  readonly name: string
  readonly body: Body
  readonly grantId: string | undefined
}

interface NamedOfFleet<K extends Kind, Body extends z.ZodType> {
  readonly kind: K
  readonly tag: string
  readonly operations: 'Configuration' | 'Monitors' | 'LocalList'
  readonly noun: string
  readonly several: {
    readonly operation: 'listConfigurations' | 'listMonitors' | 'listLocalLists'
    readonly noun: string
    readonly schema: z.ZodType
  }
  readonly path: string
  readonly put: {
    readonly description: string
    readonly body: Body
    readonly replaced: readonly [schema: z.ZodType, before?: string, isNew?: string]
    readonly handle: (
      asked: Put<z.output<Body>>,
    ) => Promise<{ readonly before?: RecordOfKind<K> | undefined; readonly after: RecordOfKind<K> } | Refusal>
  }
  readonly ok: readonly [schema: z.ZodType, description: string]
  readonly show: (found: RecordOfKind<K>) => object
  readonly status: string
  readonly stations: (found: RecordOfKind<K>) => Promise<readonly StationStatus[]>
  readonly removal: string
  readonly remove: (found: RecordOfKind<K>) => Promise<unknown>
}

export function addNamedOfFleet<K extends Kind, Body extends z.ZodType>(api: Api, of: NamedOfFleet<K, Body>): void {
  const { kind, tag, operations, noun, put, show } = of
  const all = resource(api, { tag, path: `${of.path}/{name}`, params: configurationParams })
  const known = ({ accountId }: Principal, name: string): Promise<RecordOfKind<K> | undefined> =>
    api.reads.getRecord<Kind>(kind, { accountId, name }) as Promise<RecordOfKind<K> | undefined>
  const find = async (principal: Principal, name: string): Promise<RecordOfKind<K>> => {
    const found = await known(principal, name)
    if (!found || !isShared(principal, (found as RecordOfKind<Kind>).selector)) throw notFound(noun)
    return found
  }
  resource(api, { tag, path: of.path }).get('', of.several.operation, `List ${of.several.noun}`, {
    description: 'An application reads those that mean charge points of its share alone.',
    query: pageQuery,
    ok: [of.several.schema, `A page of ${of.several.noun}, by name`],
    handle: (request) =>
      recordPage<Kind>(api, request, {
        name: of.path,
        kind,
        fits: ({ selector }) => isShared(request.principal, selector),
        show: (rows) => rows.map((row) => show(row as RecordOfKind<K>)),
      }),
  })
  all.put('', `put${operations}`, `Create or replace a ${noun}`, {
    ...put,
    problems: [409, 422],
    holds: ({ principal, params: { name } }) => known(principal, name),
    async handle({ principal, params: { name }, body }) {
      requireShared(principal, (body as { readonly selector: Selector }).selector)
      const { accountId } = principal
      const asked = { principal, accountId, name, body: body as z.output<Body>, grantId: grantOf(principal) }
      const done = orRefused(await put.handle(asked))
      return { before: done.before, shown: show(done.after) }
    },
  })
  all.get('', `get${operations}`, `Get a ${noun}`, {
    ok: of.ok,
    handle: async ({ principal, params }) => show(await find(principal, params.name)),
  })
  all.get('/status', `get${operations}Status`, `Get the status of a ${noun}`, {
    query: statusQuery,
    ok: [ConfigurationStatusSchema, 'Counts, and a page of charge points by id'],
    async handle(request) {
      const { name } = request.params
      const stations = await of.stations(await find(request.principal, name))
      return statusPage(api, request, `status of ${of.status} ${name}`, stations)
    },
  })
  all.delete('', `delete${operations}`, `Delete a ${noun}`, {
    description: of.removal,
    done: 'Deleted',
    holds: ({ principal, params }) => find(principal, params.name),
    async handle({ principal, params }) {
      await of.remove(await find(principal, params.name))
    },
  })
}

/** OIDC-C8: an application reaches the charge points that its user shares, and no others. */
export function requireShared(principal: Principal, selector: Selector): void {
  if (isShared(principal, selector)) return
  throw new Problem(
    403,
    'insufficient_scope',
    'The selector means charge points that are not shared with the application: name the shared ones in ids.',
  )
}

export function isShared(principal: Principal, { ids }: Selector): boolean {
  const shared = sharedChargePoints(principal)
  return shared === undefined || ids?.every((id) => shared.includes(id)) === true
}

/** Progress of a fleet's named setting: counts of all, and a page of charge points (CONFIG-A11). */
type Asked = Parameters<typeof pageOf>[1] & { readonly query: { readonly state?: IntentState | undefined } }

async function statusPage(
  api: Pick<Api, 'cursors' | 'now' | 'reads'>,
  request: Asked,
  name: string,
  found: readonly StationStatus[],
) {
  const { state } = request.query
  const withheld = await withheldFrom(api.reads, request.principal)
  const all = found.filter(({ evseControllerId: id }) => !withheld.has(id))
  const fitting = all
    .filter((status) => state === undefined || status.state === state)
    .sort((one, other) => (one.evseControllerId < other.evseControllerId ? -1 : 1))
  const page = await pageOf(api, request, {
    name,
    place: ({ evseControllerId: id }: StationStatus) => [id],
    rows: async (limit, last) => fitting.filter(({ evseControllerId: id }) => !last || id > last[0]).slice(0, limit),
    show: (rows) => rows,
  })
  return { counts: countsOf(all), ...page }
}
