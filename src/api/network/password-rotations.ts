/** Rotations that change the passwords of many charge points (OCPP-AU7 to OCPP-AU10). */

import {
  type Counts,
  CreateRotationSchema,
  RotationListSchema,
  RotationRowSchema,
  RotationSchema,
  type Rotations,
  RotationWithRowsSchema,
  rotationParams,
  rotationRowQuery,
} from '../../application/password-rotations/rotations.ts'
import { pageQuery, shown } from '../../application/schemas/common.ts'
import { OPEN_CHANGES, type PasswordChange, type PasswordRotation } from '../../domain/password-rotations/records.ts'
import type { Principal } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { recordPage, resource } from '../resource.ts'
import { orNotFound, orRefused } from '../respond.ts'

const COMMON = { tag: 'EVSE controllers', path: '/2/password-rotations' } as const

export function addPasswordRotations(api: Api, rotations: Rotations): void {
  const all = resource(api, COMMON)
  const one = resource(api, {
    ...COMMON,
    path: `${COMMON.path}/{rotationId}`,
    params: rotationParams,
    find: async ({ principal, params }) => ({ rotation: await find(api, principal, params.rotationId) }),
  })
  all.post('', 'createPasswordRotation', 'Change the passwords of many charge points', {
    description:
      'Every charge point that the selector means now gets a password of its own over OCPP, when it is there. It is shown to no one. The former password stays valid until the charge point has logged in with the new one. One that has no password, is not accepted, or is in another rotation that is not over, is skipped.',
    body: CreateRotationSchema,
    idempotent: 'optional',
    problems: [409],
    begun: [RotationSchema, 'The rotation'],
    async handle({ principal, body }) {
      const { id } = orRefused(await rotations.order(principal.accountId, body.selector))
      return represented(api, rotations, principal, id)
    },
  })
  all.get('', 'listPasswordRotations', 'List password rotations', {
    query: pageQuery,
    ok: [RotationListSchema, 'A page of rotations, by id'],
    handle: (request) =>
      recordPage(api, request, {
        name: 'password rotations',
        kind: 'password_rotations',
        show: (rows) =>
          Promise.all(rows.map(async (rotation) => represent(rotation, await rotations.countsOf(rotation)))),
      }),
  })
  one.get('', 'getPasswordRotation', 'Get a password rotation with its charge points', {
    description: 'Of each charge point the newest ten rotations are kept.',
    query: rotationRowQuery,
    ok: [RotationWithRowsSchema, 'The rotation, and a page of its charge points by id'],
    async handle(request) {
      const { rotation, query } = request
      const { id: rotationId } = rotation
      const page = await recordPage(api, request, {
        name: `password rotation ${rotationId}`,
        kind: 'password_changes',
        where: { rotationId, state: query.state },
        place: ['chargePointId'],
        show: (rows) => representRows(api, rows),
      })
      return { ...represent(rotation, await rotations.countsOf(rotation)), ...page }
    },
  })
  one.post('/cancel', 'cancelPasswordRotation', 'Cancel a rotation', {
    description: 'What waits is not sent any more. What was sent cannot be called back: the login of each tells.',
    problems: [409],
    ok: [RotationSchema, 'The rotation as it is now'],
    async handle({ principal, rotation }) {
      orRefused(await rotations.cancel(rotation))
      return represented(api, rotations, principal, rotation.id)
    },
  })
}

/** @throws Problem 404, the same for another account's */
async function find({ reads }: Api, { accountId }: Principal, id: string): Promise<PasswordRotation> {
  return orNotFound(await reads.getRecord('password_rotations', { accountId, id }), 'password rotation')
}

async function represented(api: Api, rotations: Rotations, principal: Principal, id: string): Promise<object> {
  const rotation = await find(api, principal, id)
  return represent(rotation, await rotations.countsOf(rotation))
}

function represent(rotation: PasswordRotation, counts: Counts): object {
  return shown(RotationSchema, rotation, { state: shownState(rotation.state, counts), counts })
}

function shownState(state: PasswordRotation['state'], counts: Counts): 'running' | 'done' | 'cancelled' {
  if (state === 'cancelling' || state === 'cancelled') return 'cancelled'
  if (state === 'ordering') return 'running'
  return OPEN_CHANGES.some((open) => counts[open] !== undefined) ? 'running' : 'done'
}

async function representRows({ core }: Api, changes: readonly PasswordChange[]): Promise<readonly object[]> {
  const found = changes.length === 0 ? [] : await core.connectivity(changes.map(({ chargePointId }) => chargePointId))
  const online = new Set(found.filter((one) => one.online).map(({ chargePointId }) => chargePointId))
  return changes.map((change) => {
    const isOffline = change.state === 'pending' && !online.has(change.chargePointId)
    return shown(RotationRowSchema, change, { reason: change.reason ?? (isOffline ? 'offline' : undefined) })
  })
}
