/** Rotations that change the passwords of many charge points (OCPP-AU7 to OCPP-AU10). */

import type { Counts, Rotations } from '../../application/password-rotations/rotations.ts'
import {
  CreateRotationSchema,
  RotationListSchema,
  RotationSchema,
  RotationWithRowsSchema,
  rotationParams,
  rotationQuery,
  rotationRowQuery,
} from '../../application/password-rotations/schemas.ts'
import { json as described, located, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import { OPEN_CHANGES, type PasswordChange, type PasswordRotation } from '../../domain/password-rotations/records.ts'
import { credentialOnly } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { notFound } from '../problem.ts'
import { json, orRefused } from '../respond.ts'

const TAG = 'EVSE controllers'
const PATH = '/2/password-rotations'

export function addPasswordRotations(api: Api, rotations: Rotations): void {
  addOrder(api, rotations)
  addReading(api, rotations)
  addCancelling(api, rotations)
}

function addOrder(api: Api, rotations: Rotations): void {
  api.endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createPasswordRotation',
    tag: TAG,
    summary: 'Change the passwords of many charge points',
    description:
      'Every charge point that the selector means now gets a password of its own over OCPP, when it is there. Nobody is shown it. The former password stays valid until the charge point has logged in with the new one. One that has no password, is not accepted, or is in another rotation that is not over, is skipped.',
    access: credentialOnly,
    body: CreateRotationSchema,
    idempotent: 'optional',
    problems: [409],
    responses: { 202: located(RotationSchema, 'The rotation') },
    async handle({ principal, body }) {
      const { id } = orRefused(await rotations.order(principal.accountId, body.selector))
      return json(await represented(api, rotations, principal, id), 202, { location: `${PATH}/${id}` })
    },
  })
}

function addReading(api: Api, rotations: Rotations): void {
  const { endpoints, reads } = api
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listPasswordRotations',
    tag: TAG,
    summary: 'List password rotations',
    access: credentialOnly,
    query: rotationQuery,
    responses: { 200: described(RotationListSchema, 'A page of rotations, by id') },
    async handle({ principal, query }) {
      const { accountId } = principal
      const { limit = PAGE_DEFAULT, cursor } = query
      const bound = listQuery('password rotations', principal, query)
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, (count, id) =>
        reads.listRecords('password_rotations', {
          where: { accountId },
          limit: count,
          ...(id !== undefined && { after: { accountId, id } }),
        }),
      )
      const data = await Promise.all(
        rows.map(async (rotation) => represent(rotation, await rotations.countsOf(rotation))),
      )
      return json({ data, meta: { nextCursor } })
    },
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{rotationId}`,
    operationId: 'getPasswordRotation',
    tag: TAG,
    summary: 'Get a password rotation with its charge points',
    description: 'Of each charge point the newest ten rotations are kept.',
    access: credentialOnly,
    params: rotationParams,
    query: rotationRowQuery,
    responses: { 200: described(RotationWithRowsSchema, 'The rotation, and a page of its charge points by id') },
    async handle({ principal, params: { rotationId }, query }) {
      const rotation = await find(api, principal, rotationId)
      const { limit = PAGE_DEFAULT, cursor, state } = query
      const bound = listQuery(`password rotation ${rotationId}`, principal, query)
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, async (count, chargePointId) => {
        const found = await reads.listRecords('password_changes', {
          where: { rotationId, ...(state && { state }) },
          limit: count,
          ...(chargePointId !== undefined && { after: { chargePointId, rotationId } }),
        })
        return found.map((change) => ({ id: change.chargePointId, change }))
      })
      const data = await representRows(
        api,
        rows.map(({ change }) => change),
      )
      return json({ ...represent(rotation, await rotations.countsOf(rotation)), data, meta: { nextCursor } })
    },
  })
}

function addCancelling(api: Api, rotations: Rotations): void {
  api.endpoints.add({
    method: 'post',
    path: `${PATH}/{rotationId}/cancel`,
    operationId: 'cancelPasswordRotation',
    tag: TAG,
    summary: 'Cancel a rotation',
    description: 'What waits is not sent any more. What was sent cannot be called back: the login of each tells.',
    access: credentialOnly,
    params: rotationParams,
    problems: [409],
    responses: { 200: described(RotationSchema, 'The rotation as it is now') },
    async handle({ principal, params: { rotationId } }) {
      orRefused(await rotations.cancel(await find(api, principal, rotationId)))
      return json(await represented(api, rotations, principal, rotationId))
    },
  })
}

/** @throws Problem 404, the same for another account's */
async function find({ reads }: Api, { accountId }: Principal, id: string): Promise<PasswordRotation> {
  const rotation = await reads.getRecord('password_rotations', { accountId, id })
  if (!rotation) throw notFound('password rotation')
  return rotation
}

async function represented(api: Api, rotations: Rotations, principal: Principal, id: string): Promise<object> {
  const rotation = await find(api, principal, id)
  return represent(rotation, await rotations.countsOf(rotation))
}

function represent({ id, state, selector, createdAt, updatedAt }: PasswordRotation, counts: Counts): object {
  const times = { createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) }
  return { id, state: shownState(state, counts), selector, counts, ...times }
}

/** The server notes the end of one a moment later. */
function shownState(state: PasswordRotation['state'], counts: Counts): 'running' | 'done' | 'cancelled' {
  if (state === 'cancelling' || state === 'cancelled') return 'cancelled'
  if (state === 'ordering') return 'running'
  return OPEN_CHANGES.some((open) => counts[open] !== undefined) ? 'running' : 'done'
}

async function representRows({ core }: Api, changes: readonly PasswordChange[]): Promise<readonly object[]> {
  const found = changes.length === 0 ? [] : await core.connectivity(changes.map(({ chargePointId }) => chargePointId))
  const online = new Set(found.filter((one) => one.online).map(({ chargePointId }) => chargePointId))
  return changes.map(({ chargePointId, state, reason, attempts, updatedAt }) => ({
    evseControllerId: chargePointId,
    state,
    reason: reason ?? (state === 'pending' && !online.has(chargePointId) ? 'offline' : undefined),
    attempts,
    updatedAt: isoTime(updatedAt),
  }))
}
