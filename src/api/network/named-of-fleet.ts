/** Named settings of a fleet: configurations, sets of monitors and local lists have the same endpoints. */
import type { z } from '@hono/zod-openapi'
import { type Desired, removeDesired, statusOfFleet } from '../../application/configuration/orders.ts'
import { ConfigurationStatusSchema, configurationParams, statusQuery } from '../../application/configuration/schemas.ts'
import {
  LocalListSchema,
  PutLocalListSchema,
  putLocalList,
  stationsOfList,
} from '../../application/local-lists/orders.ts'
import {
  MonitorsSchema,
  PutMonitorsSchema,
  putMonitors,
  StationEventListSchema,
  StationEventSchema,
  stationEventQuery,
} from '../../application/monitors/orders.ts'
import { listOf, pageQuery, shown } from '../../application/schemas/common.ts'
import { countsOf, type StationStatus } from '../../domain/configuration/status.ts'
import type { IntentState } from '../../domain/intents/records.ts'
import type { StationEvent } from '../../domain/monitors/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import type { RecordOfKind } from '../../domain/records/records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { grantOf, type Principal, sharedChargePoints, withheldFrom } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { chargePointResource, pageOf, recordPage, resource } from '../resource.ts'
import { notFound, orRefused, Problem } from '../respond.ts'

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
  readonly list: readonly [
    operation: 'listConfigurations' | 'listMonitors' | 'listLocalLists',
    noun: string,
    schema: z.ZodType,
  ]
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
}

export function addNamedOfFleet<K extends Kind, Body extends z.ZodType>(api: Api, of: NamedOfFleet<K, Body>): void {
  const { kind, tag, operations, noun, put, show } = of
  const [listOperation, several, listSchema] = of.list
  const all = resource(api, { tag, path: `${of.path}/{name}`, params: configurationParams })
  const known = ({ accountId }: Principal, name: string): Promise<RecordOfKind<K> | undefined> =>
    api.reads.getRecord<Kind>(kind, { accountId, name }) as Promise<RecordOfKind<K> | undefined>
  const find = async (principal: Principal, name: string): Promise<RecordOfKind<K>> => {
    const found = await known(principal, name)
    if (!found || !isShared(principal, (found as RecordOfKind<Kind>).selector)) throw notFound(noun)
    return found
  }
  resource(api, { tag, path: of.path }).get('', listOperation, `List ${several}`, {
    description: 'An application reads those that mean charge points of its share alone.',
    query: pageQuery,
    ok: [listSchema, `A page of ${several}, by name`],
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
      await removeDesired(api, kind, (await find(principal, params.name)) as Desired)
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

/** Local authorisation lists over the API (LIST-A1). */
export function addLocalLists(api: Api): void {
  addNamedOfFleet(api, {
    kind: 'local_lists',
    tag: 'Local lists',
    operations: 'LocalList',
    noun: 'local list',
    list: ['listLocalLists', 'local lists', listOf('LocalListList', LocalListSchema)],
    path: '/2/local-lists',
    put: {
      description:
        'Every charge point that the selector means gets these id tokens and may let them charge while it is offline. What changes of a token reaches it at once, or when it connects. A charge point has one list. GET …/status tells how far it is.',
      body: PutLocalListSchema,
      replaced: [LocalListSchema],
      handle: ({ accountId, name, body, grantId }) => putLocalList(api, accountId, name, { ...body, grantId }),
    },
    ok: [LocalListSchema, 'The list'],
    show: (list) => shown(LocalListSchema, list, { changedAt: list.contentAt }),
    status: 'local list',
    stations: (found) => stationsOfList(api, found),
    removal: 'Charge points that have it are sent an empty one.',
  })
}

/** Sets of monitors for many charge points, over the API (MONITOR-A1). */
export function addMonitors(api: Api): void {
  addNamedOfFleet(api, {
    kind: 'monitor_sets',
    tag: 'Monitors',
    operations: 'Monitors',
    noun: 'set of monitors',
    list: ['listMonitors', 'sets of monitors', listOf('MonitorsList', MonitorsSchema)],
    path: '/2/monitors',
    put: {
      description:
        'Every charge point of OCPP 2.0.1 that the selector means gets these monitors, now or when it connects; it keeps all that any of the sets wants. What it reports is read at …/evse-controllers/{id}/events. GET …/status tells how far it is.',
      body: PutMonitorsSchema,
      replaced: [MonitorsSchema, 'They were there before', 'They are new'],
      handle: ({ accountId, name, body: { selector, monitors }, grantId }) =>
        putMonitors(api, { accountId, name, selector, grantId }, monitors),
    },
    ok: [MonitorsSchema, 'The monitors'],
    show: (set) => shown(MonitorsSchema, set),
    status: 'monitors',
    stations: (found) =>
      statusOfFleet(api.reads, found, ({ source }) => source?.monitors?.includes(found.name) === true),
    removal: 'They are cleared on the charge points, unless another set wants them.',
  })
}

/** The events that a charge point sent, over the API (MONITOR-A7). */
export function addStationEvents(api: Api): void {
  const events = chargePointResource(api, { tag: 'Monitors', path: '/events' })
  events.get('', 'listEventsOfEvseController', 'List events of a charge point, newest first', {
    description: 'What it sent as NotifyEvent (OCPP 2.0.1), kept as long as the log.',
    query: stationEventQuery,
    ok: [StationEventListSchema, 'A page of events'],
    async handle(request) {
      const { id: chargePointId } = request.chargePoint
      const { from, to, component } = request.query
      // The newest has the lowest number: what is not before `from` is not above it.
      const bounds = { from: to === undefined ? undefined : 1 - to, below: from === undefined ? undefined : 1 - from }
      const newness = from === undefined && to === undefined ? undefined : bounds
      const where = { chargePointId, componentName: component?.toLowerCase(), newness }
      const show = (rows: readonly StationEvent[]) => rows.map(representEvent)
      const page = await recordPage(api, request, {
        name: `events of ${chargePointId}`,
        kind: 'station_events',
        where,
        show,
      })
      const { dropped = 0 } = (await api.reads.getRecord('event_tallies', { chargePointId })) ?? {}
      return { ...page, meta: { ...page.meta, ...(dropped > 0 && { dropped }) } }
    },
  })
}

function representEvent(row: StationEvent): object {
  return shown(StationEventSchema, { ...row, ...row.event }, { at: -row.newness })
}
