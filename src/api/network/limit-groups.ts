/** Limit groups over the API (GROUP-B1 to GROUP-B5). */
import type { z } from '@hono/zod-openapi'
import { historyCsv, historyOf, MAX_DAYS } from '../../application/limit-groups/history.ts'
import {
  deleteGroup,
  endExternalLimit,
  findGroup,
  putExternalLimit,
  putGroup,
  putLoad,
} from '../../application/limit-groups/orders.ts'
import {
  ExternalLimitSchema,
  groupParams,
  historyQuery,
  LimitGroupHistorySchema,
  LimitGroupListSchema,
  LimitGroupSchema,
  LimitGroupStatusSchema,
  LoadSchema,
  PutExternalLimitSchema,
  PutLimitGroupSchema,
  PutLoadSchema,
} from '../../application/limit-groups/schemas.ts'
import { minuteShown, statusOf, statusShown } from '../../application/limit-groups/status.ts'
import { jsonOrCsv, pageQuery, shown } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { groupOf } from '../../domain/limit-groups/desired.ts'
import { tenthsDown } from '../../domain/limit-groups/phases.ts'
import type { GivenExternal, GivenLoad, LimitGroup, StoredInput } from '../../domain/limit-groups/records.ts'
import { grantOf, type Principal, sees } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { windowFaults } from '../requests/validation.ts'
import { recordPage, resource } from '../resource.ts'
import { fileHeaders, notFound, orNotFound, orRefused } from '../respond.ts'
import { isShared, requireShared } from './named-of-fleet.ts'

const COMMON = { tag: 'Limit groups', path: '/2/limit-groups' } as const

function groupResource(api: Api) {
  return resource(api, {
    ...COMMON,
    path: `${COMMON.path}/{name}`,
    params: groupParams,
    find: async ({ principal, params }) => {
      const group = orRefused(await findGroup(api, principal.accountId, params.name))
      if (!isVisible(principal, group)) throw notFound('limit group')
      return { group }
    },
  })
}

export function addLimitGroups(api: Api): void {
  resource(api, COMMON).get('', 'listLimitGroups', 'List limit groups by name', {
    query: pageQuery,
    ok: [LimitGroupListSchema, 'A page of limit groups'],
    handle: (request) =>
      recordPage(api, request, {
        name: 'limit groups',
        kind: 'limit_groups',
        show: (rows) =>
          rows.filter((group) => isVisible(request.principal, group)).map((group) => represented(api, group)),
      }),
  })
  addGroup(api)
  addInputs(api)
  addCourse(api)
}

function addGroup(api: Api): void {
  const anyName = resource(api, { ...COMMON, path: `${COMMON.path}/{name}`, params: groupParams })
  const group = groupResource(api)
  anyName.put('', 'putLimitGroup', 'Create or replace a limit group', {
    description:
      'The EVSEs of the charge points that the selector means share this limit, and those of the groups whose parent it is. At no moment may they draw more together: cuts are sent first, no EVSE is raised before they are accepted, and a silent station counts with all that it may still hold.',
    body: PutLimitGroupSchema,
    problems: [409, 422],
    replaced: [LimitGroupSchema],
    holds: async ({ principal, params: { name } }) => {
      const known = await api.reads.getRecord('limit_groups', { accountId: principal.accountId, name })
      if (known && !isVisible(principal, known)) throw notFound('limit group')
      return known
    },
    async handle({ principal, params: { name }, body }) {
      const desired = body as z.output<typeof PutLimitGroupSchema>
      requireShared(principal, desired.selector ?? {})
      const { accountId } = principal
      const { before, after } = orRefused(await putGroup(api, accountId, name, desired, grantOf(principal)))
      return { before, shown: represented(api, after) }
    },
  })
  group.get('', 'getLimitGroup', 'Get a limit group', {
    ok: [LimitGroupSchema, 'The limit group'],
    handle: async (request) => represented(api, request.group),
  })
  group.delete('', 'deleteLimitGroup', 'Delete a limit group', {
    description: 'What its charge points hold of it is taken back.',
    problems: [409],
    done: 'Deleted',
    holds: (request) => request.group,
    handle: (request) => deleteGroup(api, request.group),
  })
}

function addInputs(api: Api): void {
  const group = groupResource(api)
  group.put('/load', 'putLimitGroupLoad', 'Set the load of a building', {
    description:
      'What the meter of the connection reads, again and again. Once `until` has passed it is stale, and charging gets `safeAmps`.',
    body: PutLoadSchema,
    problems: [422],
    ok: [LoadSchema, 'The load'],
    holds: (request) => request.group,
    handle: async ({ group: found, body }) => loadShown(orRefused(await putLoad(api, found, body as GivenLoad))),
  })
  group.put('/external-limit', 'putExternalLimit', 'Set or renew an external limit', {
    description:
      'What a grid operator, an energy manager or a price signal orders. It ends at `until`, or when it is not renewed within `heartbeatSeconds`; then its fail-safe value holds for two hours.',
    body: PutExternalLimitSchema,
    problems: [422],
    ok: [ExternalLimitSchema, 'The external limit'],
    holds: (request) => request.group,
    handle: async ({ group: found, body }) =>
      externalShown(orRefused(await putExternalLimit(api, found, body as GivenExternal))),
  })
  group.delete('/external-limit', 'deleteExternalLimit', 'End an external limit', {
    description: 'At once, without its fail-safe value.',
    done: 'Ended',
    holds: (request) => request.group,
    handle: (request) => endExternalLimit(api, request.group),
  })
}

function addCourse(api: Api): void {
  const group = groupResource(api)
  group.get('/status', 'getLimitGroupStatus', 'Get the status of a limit group', {
    description: 'What its EVSEs, and those of the groups below it, may draw at most and draw, and why.',
    ok: [LimitGroupStatusSchema, 'Its state now'],
    async handle({ principal, group: { accountId, name } }) {
      const status = orNotFound(await statusOf(api, accountId, name), 'limit group')
      const evses = status.evses.filter(({ chargePointId: id }) => sees(principal, { accountId, id }))
      return statusShown({ ...status, evses })
    },
  })
  group.get('/history', 'getLimitGroupHistory', 'Get the history of a limit group', {
    description: `A row for each minute, and for each order from outside that came, changed or ended within one, oldest first: the last day unless \`from\` is given, ${MAX_DAYS} days at most.`,
    query: historyQuery,
    produces: ['application/json', 'text/csv'],
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    responses: { 200: jsonOrCsv(LimitGroupHistorySchema, 'The course') },
    async handle({ group: found, query }) {
      const rows = orRefused(await historyOf(api, found, query.from, query.to))
      if (query.format !== 'csv') return { data: rows.map(minuteShown) }
      return new Response(historyCsv(rows), { headers: fileHeaders(`${found.name}.csv`) })
    },
  })
}

/** An application knows of its own groups, and of those whose charge points it shares. */
function isVisible(principal: Principal, { desired, grantId }: LimitGroup): boolean {
  return isShared(principal, desired.selector ?? {}) || grantId === grantOf(principal)
}

function represented({ settings }: Api, group: LimitGroup): object {
  const { leaseMs, safeAmps, ...usual } = groupOf(group, settings.voltage)
  const inForce = { ...usual, safeAmps: tenthsDown(safeAmps), leaseSeconds: leaseMs / 1000 }
  return shown(LimitGroupSchema, { ...inForce, ...group.desired, ...group })
}

function loadShown({ given, at }: StoredInput): object {
  const { until, ...load } = given as GivenLoad
  return { excludesCharging: false, ...load, until: isoTime(until), at: isoTime(at) }
}

function externalShown({ given, at }: StoredInput): object {
  return { ...given, until: isoTime(given.until), at: isoTime(at) }
}
