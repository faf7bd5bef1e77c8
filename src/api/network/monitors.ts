/** Monitors that are wanted of many charge points, over the API (MONITOR-A1). */
import type { z } from '@hono/zod-openapi'
import { noRoomFor } from '../../application/account-limits.ts'
import { settleAll, statusOfFleet } from '../../application/configuration/fleet.ts'
import { ofGrant } from '../../application/configuration/orders.ts'
import { ConfigurationStatusSchema, configurationParams, statusQuery } from '../../application/configuration/schemas.ts'
import { removeMonitors } from '../../application/monitors/orders.ts'
import { MonitorsSchema, PutMonitorsSchema } from '../../application/monitors/schemas.ts'
import { json as described, located } from '../../application/schemas/common.ts'
import { namesOfMonitors } from '../../domain/monitors/desired.ts'
import { monitorFaults } from '../../domain/monitors/monitor-faults.ts'
import type { Monitor, MonitorSet } from '../../domain/monitors/records.ts'
import { needsScope } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { listQuery } from '../list-page.ts'
import { notFound, Problem, problemOfRefusal } from '../problem.ts'
import { json, noContent } from '../respond.ts'
import { isShared, requireShared } from './configuration.ts'
import { statusPage } from './status-page.ts'

const TAG = 'Monitors'
const PATH = '/2/monitors/{name}'
const ACCESS = needsScope('chargers:configure')
const READING = needsScope('chargers:read')

export function addMonitors(api: Api): void {
  addPut(api)
  addReading(api)
  addRemoval(api)
}

function addPut(api: Api): void {
  api.endpoints.add({
    method: 'put',
    path: PATH,
    operationId: 'putMonitors',
    tag: TAG,
    summary: 'Create or replace a set of monitors',
    description:
      'Every charge point of OCPP 2.0.1 that the selector means gets these monitors, now or when it connects; it keeps all that any of the sets wants. What it reports is read at …/evse-controllers/{id}/events. GET …/status tells how far it is.',
    access: ACCESS,
    params: configurationParams,
    body: PutMonitorsSchema,
    problems: [409, 422],
    responses: {
      200: described(MonitorsSchema, 'They were there before'),
      201: located(MonitorsSchema, 'They are new'),
    },
    async handle({ principal, params: { name }, body }) {
      const { selector, monitors } = body as z.output<typeof PutMonitorsSchema>
      requireShared(principal, selector)
      const asked = monitors.map((monitor) => ({ ...monitor, transaction: monitor.transaction ?? false }))
      requireSettable(asked)
      const { accountId } = principal
      const before = await api.reads.getRecord('monitor_sets', { accountId, name })
      if (before) requireShared(principal, before.selector)
      const full = before ? undefined : await noRoomFor('monitor_sets', api.reads, accountId)
      if (full) throw problemOfRefusal(full)
      const at = api.now()
      const owner = ofGrant(principal.kind === 'token' ? principal.grantId : undefined, before)
      const isSame =
        before && desiredText(before) === desiredText({ selector, monitors: asked }) && before.grantId === owner.grantId
      const after: MonitorSet = isSame
        ? before
        : {
            ...{ accountId, name, selector, monitors: asked, revision: (before?.revision ?? 0) + 1 },
            ...{ createdAt: before?.createdAt ?? at, updatedAt: at, ...owner },
          }
      if (after !== before) {
        await api.writes.putRecords('monitor_sets', [after])
        await api.core.configurationsChanged(accountId, { kind: 'monitor_sets', name })
      }
      const versions = before ? [before, after] : [after]
      const selectors = versions.map((version) => version.selector)
      await settleAll(api, accountId, selectors, new Set(versions.flatMap(namesOfMonitors)))
      const location = PATH.replace('{name}', name)
      return before ? json(represented(after)) : json(represented(after), 201, { location })
    },
  })
}

function addReading(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'getMonitors',
    tag: TAG,
    summary: 'Get a set of monitors',
    access: READING,
    params: configurationParams,
    responses: { 200: described(MonitorsSchema, 'The monitors') },
    async handle({ principal, params: { name } }) {
      return json(represented(await find(api, principal, name)))
    },
  })
  api.endpoints.add({
    method: 'get',
    path: `${PATH}/status`,
    operationId: 'getMonitorsStatus',
    tag: TAG,
    summary: 'Get the status of a set of monitors',
    access: READING,
    params: configurationParams,
    query: statusQuery,
    responses: { 200: described(ConfigurationStatusSchema, 'Counts, and a page of charge points by id') },
    async handle({ principal, params: { name }, query }) {
      const found = await find(api, principal, name)
      const all = await statusOfFleet(api.reads, found, ({ source }) => source?.monitors?.includes(name) === true)
      return statusPage(api, all, query, listQuery(`status of monitors ${name}`, principal, query))
    },
  })
}

function addRemoval(api: Api): void {
  api.endpoints.add({
    method: 'delete',
    path: PATH,
    operationId: 'deleteMonitors',
    tag: TAG,
    summary: 'Delete a set of monitors',
    description: 'They are cleared on the charge points, unless another set wants them.',
    access: ACCESS,
    params: configurationParams,
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal, params: { name } }) {
      await removeMonitors(api, await find(api, principal, name))
      return noContent()
    },
  })
}

/** @throws Problem 404, also where the application may not know of it */
async function find({ reads }: Api, principal: Principal, name: string): Promise<MonitorSet> {
  const found = await reads.getRecord('monitor_sets', { accountId: principal.accountId, name })
  if (!found || !isShared(principal, found.selector)) throw notFound('set of monitors')
  return found
}

/** @throws Problem 422 */
function requireSettable(monitors: readonly Monitor[]): void {
  const faults = monitorFaults(monitors)
  if (faults.length === 0) return
  const detail = faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  throw new Problem(422, faults[0]?.code ?? 'invalid_value', `No charge point can be set this: ${detail}.`, {
    errors: faults,
  })
}

function desiredText({ selector, monitors }: Pick<MonitorSet, 'selector' | 'monitors'>): string {
  return JSON.stringify([selector, monitors])
}

function represented({ name, selector, monitors, revision, createdAt, updatedAt }: MonitorSet): object {
  return {
    ...{ name, selector, monitors, revision },
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}
