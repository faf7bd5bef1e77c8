/** Monitors that are wanted of many charge points, over the API (MONITOR-A1). */
import type { z } from '@hono/zod-openapi'
import { statusOfFleet } from '../../application/configuration/fleet.ts'
import { ConfigurationStatusSchema, configurationParams, statusQuery } from '../../application/configuration/schemas.ts'
import { putMonitors, removeMonitors } from '../../application/monitors/orders.ts'
import { MonitorsSchema, PutMonitorsSchema } from '../../application/monitors/schemas.ts'
import { json as described, located } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { MonitorSet } from '../../domain/monitors/records.ts'
import { grantOf, needsScope, requireOrdered } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { notFound } from '../problem.ts'
import { resource } from '../resource.ts'
import { json, orRefused } from '../respond.ts'
import { isShared, requireShared } from './configuration.ts'
import { statusPage } from './status-page.ts'

export function addMonitors(api: Api): void {
  const monitors = resource(api, {
    tag: 'Monitors',
    path: '/2/monitors/{name}',
    access: needsScope('chargers:configure'),
    params: configurationParams,
  })
  const access = needsScope('chargers:read')
  monitors.put('', 'putMonitors', 'Create or replace a set of monitors', {
    description:
      'Every charge point of OCPP 2.0.1 that the selector means gets these monitors, now or when it connects; it keeps all that any of the sets wants. What it reports is read at …/evse-controllers/{id}/events. GET …/status tells how far it is.',
    body: PutMonitorsSchema,
    problems: [409, 422],
    responses: {
      200: described(MonitorsSchema, 'They were there before'),
      201: located(MonitorsSchema, 'They are new'),
    },
    async handle({ principal, params: { name }, body }) {
      const { selector, monitors: asked } = body as z.output<typeof PutMonitorsSchema>
      const { accountId } = principal
      requireShared(principal, selector)
      const known = await api.reads.getRecord('monitor_sets', { accountId, name })
      if (known) requireOrdered(principal, known)
      const put = await putMonitors(api, { accountId, name, selector, grantId: grantOf(principal) }, asked)
      const { before, after } = orRefused(put)
      return before ? represented(after) : json(represented(after), 201, { location: `/2/monitors/${name}` })
    },
  })
  monitors.get('', 'getMonitors', 'Get a set of monitors', {
    access,
    ok: [MonitorsSchema, 'The monitors'],
    handle: async ({ principal, params: { name } }) => represented(await find(api, principal, name)),
  })
  monitors.get('/status', 'getMonitorsStatus', 'Get the status of a set of monitors', {
    access,
    query: statusQuery,
    ok: [ConfigurationStatusSchema, 'Counts, and a page of charge points by id'],
    async handle(request) {
      const { name } = request.params
      const found = await find(api, request.principal, name)
      const all = await statusOfFleet(api.reads, found, ({ source }) => source?.monitors?.includes(name) === true)
      return statusPage(api, request, `status of monitors ${name}`, all)
    },
  })
  monitors.delete('', 'deleteMonitors', 'Delete a set of monitors', {
    description: 'They are cleared on the charge points, unless another set wants them.',
    done: 'Deleted',
    async handle({ principal, params: { name } }) {
      const set = await find(api, principal, name)
      requireOrdered(principal, set)
      await removeMonitors(api, set)
    },
  })
}

/** @throws Problem 404, also where the application may not know of it */
async function find({ reads }: Api, principal: Principal, name: string): Promise<MonitorSet> {
  const found = await reads.getRecord('monitor_sets', { accountId: principal.accountId, name })
  if (!found || !isShared(principal, found.selector)) throw notFound('set of monitors')
  return found
}

function represented({ name, selector, monitors, revision, createdAt, updatedAt }: MonitorSet): object {
  return {
    name,
    selector,
    monitors,
    revision,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }
}
