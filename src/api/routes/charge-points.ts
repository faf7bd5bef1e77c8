/** Registration of charge points (API-A5; OCPP-T3, OCPP-T4). */
import { changeChargePoint } from '../../application/charge-points/change.ts'
import { findChargePoints } from '../../application/charge-points/find.ts'
import { registerChargePoint, registrationFaults } from '../../application/charge-points/register.ts'
import {
  ChangeChargePointSchema,
  ChangedChargePointSchema,
  ChargePointListSchema,
  ChargePointSchema,
  CreateChargePointSchema,
  CreatedChargePointSchema,
  chargePointParams,
  chargePointQuery,
} from '../../application/schemas/charge-points.ts'
import { json as described, located, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { credentialOnly, needsScope, sharedChargePoints, visibleChargePoint } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { representChargePoints } from '../charge-point-view.ts'
import { listQuery, sortedPage } from '../list-page.ts'
import { json, noContent, orRefused } from '../respond.ts'

const TAG = 'EVSE controllers'
const PATH = '/2/evse-controllers'

export function addChargePoints(api: Api): void {
  addReading(api)
  addCreation(api)
  addChange(api)
  addDeletion(api)
}

function addReading(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listEvseControllers',
    tag: TAG,
    summary: 'List charge points',
    description:
      'All filters must hold; a repeated status is any of them, a repeated label all of them. Sorted by id unless said otherwise.',
    access: needsScope('chargers:read'),
    query: chargePointQuery,
    responses: { 200: described(ChargePointListSchema, 'A page of charge points') },
    async handle({ principal, query }) {
      const { limit = PAGE_DEFAULT, cursor, sort = 'id', order, status, label, ...rest } = query
      const asked = { ...rest, ...(status && { statuses: status }), ...(label && { labels: label }) }
      const bound = listQuery('charge points', principal, query)
      const shared = sharedChargePoints(principal)
      const { rows, nextCursor } = await sortedPage(api, { limit, cursor, bound }, (count, after) => {
        const descending = order === 'desc'
        const page = { accountId: principal.accountId, sort, descending, limit: count, ...(after && { after }) }
        return findChargePoints(api, asked, page, shared)
      })
      return json({ data: await representChargePoints(api.core, rows), meta: { nextCursor } })
    },
  })
  api.endpoints.add({
    method: 'get',
    path: `${PATH}/{evseController}`,
    operationId: 'getEvseController',
    tag: TAG,
    summary: 'Get a charge point',
    access: needsScope('chargers:read'),
    params: chargePointParams,
    responses: { 200: described(ChargePointSchema, 'The charge point') },
    async handle({ principal, params }) {
      return json(await representOne(api, await visibleChargePoint(api.reads, principal, params.evseController)))
    },
  })
}

async function representOne({ core }: Api, view: ChargePointView): Promise<object> {
  const [shown = {}] = await representChargePoints(core, [view])
  return shown
}

function addCreation(api: Api): void {
  api.endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createEvseController',
    tag: TAG,
    summary: 'Register a charge point',
    description:
      'Without a password one is generated and shown once, here. Security profile 0 has none. The charge point connects to /ocpp/{id}.',
    access: credentialOnly,
    body: CreateChargePointSchema,
    inspect: ({ body }) => ({ faults: registrationFaults(body) }),
    problems: [409],
    responses: { 201: located(CreatedChargePointSchema, 'The charge point, with a generated password') },
    async handle({ principal, body }) {
      const registration = { ...body, accountId: principal.accountId }
      const { view, password } = orRefused(await registerChargePoint(api, registration))
      const shown = await representOne(api, view)
      return json({ ...shown, password }, 201, { location: `${PATH}/${encodeURIComponent(view.id)}` })
    },
  })
}

/** It has connected before, with another password. */
const PASSWORD_NOT_TOLD =
  'The charge point is not told its new password: it cannot log in until the same one is set there. POST /2/password-rotations changes it on both sides, and so does a command: SetVariables of BasicAuthPassword, or ChangeConfiguration of AuthorizationKey.'

function addChange(api: Api): void {
  api.endpoints.add({
    method: 'patch',
    path: `${PATH}/{evseController}`,
    operationId: 'changeEvseController',
    tag: TAG,
    summary: 'Change a charge point',
    description:
      'null removes an optional attribute, or a label; other labels stay. registrationStatus approves or rejects; approving needs a password, unless the charge point has one already (sent to it as a command while it waits) or gets security profile 0. A new password, another security profile or disabled closes the connection. The charge point is not told a new password: set it there too, or use a password rotation or a command.',
    access: credentialOnly,
    params: chargePointParams,
    body: ChangeChargePointSchema,
    responses: { 200: described(ChangedChargePointSchema, 'The charge point') },
    async handle({ principal, params, body }) {
      const before = await visibleChargePoint(api.reads, principal, params.evseController)
      const after = await representOne(api, orRefused(await changeChargePoint(api, before, body)))
      const isNotTold = typeof body.password === 'string' && before.status.protocol !== undefined
      return json(isNotTold ? { ...after, warning: PASSWORD_NOT_TOLD } : after)
    },
  })
}

function addDeletion({ endpoints, reads, core }: Api): void {
  endpoints.add({
    method: 'delete',
    path: `${PATH}/{evseController}`,
    operationId: 'deleteEvseController',
    tag: TAG,
    summary: 'Delete a charge point',
    description:
      'Ends what is open first: a running session completes with the energy and the time of its newest sample (tell the driver, and stop it before if the car should not go on charging), a remote start that waits fails, and commands that wait are dropped; webhooks hear of all of it. Then its connection is closed, and its certificates are revoked: registered again, it needs a new one. Its sessions can still be read, but settled only while it is registered; its log comes back when it is registered again under the same account.',
    access: credentialOnly,
    params: chargePointParams,
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal, params }) {
      const { id } = await visibleChargePoint(reads, principal, params.evseController)
      orRefused(await core.removeChargePoint(principal.accountId, id))
      return noContent()
    },
  })
}
