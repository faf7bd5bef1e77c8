/** Registration of charge points (API-A5; OCPP-T3, OCPP-T4). */

import { findChargePoints } from '../../application/charge-points/find.ts'
import { changeChargePoint, registerChargePoint, registrationFaults } from '../../application/charge-points/register.ts'
import { removingEvses } from '../../application/locations/change.ts'
import {
  ChangeChargePointSchema,
  ChangedChargePointSchema,
  ChargePointListSchema,
  ChargePointSchema,
  ConnectorSchema,
  CreateChargePointSchema,
  CreatedChargePointSchema,
  chargePointQuery,
} from '../../application/schemas/charge-points.ts'
import { shown } from '../../application/schemas/common.ts'
import type { ConnectorWiring, Wiring } from '../../domain/charging/records.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { SortedChargePoint } from '../../domain/ports/storage-queries.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { sharedChargePoints, sharedStatuses } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { type CursorKey, chargePointResource, pageOf, resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

const COMMON = { tag: 'EVSE controllers', path: '/2/evse-controllers' } as const

export function addChargePoints(api: Api): void {
  const chargePoints = resource(api, COMMON)
  const chargePoint = chargePointResource(api, { ...COMMON, path: '' })
  chargePoints.get('', 'listEvseControllers', 'List charge points', {
    description:
      'All filters must hold; a repeated status is any of them, a repeated label all of them. Sorted by id unless said otherwise.',
    query: chargePointQuery,
    ok: [ChargePointListSchema, 'A page of charge points'],
    handle: (request) => {
      const { limit: _, cursor: __, sort = 'id', order, status, label, ...rest } = request.query
      const { accountId } = request.principal
      const asked = { ...rest, statuses: status, labels: label }
      const shared = sharedChargePoints(request.principal)
      const registrationStatuses = sharedStatuses(request.principal)
      return pageOf(api, request, {
        name: 'charge points',
        place: ({ sortedBy, view }: SortedChargePoint): SortKey => [sortedBy, view.id],
        isPlace: isSortedPlace,
        rows: (limit, last) => {
          const [sortedBy, id = String(sortedBy)] = last ?? []
          const after = sortedBy === undefined ? undefined : ([sortedBy, id] as const)
          return findChargePoints(
            api,
            { ...asked, registrationStatuses },
            { accountId, sort, descending: order === 'desc', limit, after },
            shared,
          )
        },
        show: (rows) =>
          representChargePoints(
            api,
            rows.map(({ view }) => view),
          ),
      })
    },
  })
  chargePoint.get('', 'getEvseController', 'Get a charge point', {
    ok: [ChargePointSchema, 'The charge point'],
    handle: (request) => representOne(api, request.chargePoint),
  })
  chargePoints.post('', 'createEvseController', 'Register a charge point', {
    description:
      'Without a password one is generated and shown once, here. Security profile 0 has none. The charge point connects to /ocpp/{id}.',
    body: CreateChargePointSchema,
    inspect: ({ body }) => ({ faults: registrationFaults(body) }),
    problems: [409],
    created: [CreatedChargePointSchema, 'The charge point, with a generated password'],
    async handle({ principal, body }) {
      const registration = { ...body, accountId: principal.accountId }
      const { view, password } = orRefused(await registerChargePoint(api, registration))
      return { ...(await representOne(api, view)), password }
    },
  })
  chargePoint.patch('', 'changeEvseController', 'Change a charge point', {
    description:
      'null removes an optional attribute, or a label; other labels stay. registrationStatus approves or rejects; approving needs a password, unless the charge point has one already (sent to it as a command while it waits) or gets security profile 0. A new password, another security profile or disabled closes the connection. The charge point does not receive a new password: set it there too, or use a password rotation or a command.',
    body: ChangeChargePointSchema,
    ok: [ChangedChargePointSchema, 'The charge point'],
    async handle({ chargePoint: before, body }) {
      const { connectors, priority, ...change } = body
      const changed = Object.keys(change).length > 0 ? orRefused(await changeChargePoint(api, before, change)) : before
      if (connectors !== undefined || priority !== undefined) {
        const input = { kind: 'wiringSet', connectors, priority } as const
        const { accountId, id: chargePointId } = before
        orRefused(await api.core.decideBlock({ accountId, chargePointId, input }))
      }
      const after = await representOne(api, changed)
      const isNotReported = typeof body.password === 'string' && before.status.protocol !== undefined
      return isNotReported ? { ...after, warning: PASSWORD_NOT_REPORTED } : after
    },
  })
  chargePoint.delete('', 'deleteEvseController', 'Delete a charge point', {
    description:
      'Ends what is open first: a running session completes with the energy and the time of its newest sample (tell the driver, and stop it before if the car should not go on charging), a remote start that waits fails, and commands that wait are dropped; webhooks hear of all of it. Then its connection is closed, and its certificates are revoked: registered again, it needs a new one. Its sessions can still be read, but settled only while it is registered; its log comes back when it is registered again under the same account.',
    done: 'Deleted',
    async handle({ chargePoint: { accountId, id: chargePointId } }) {
      const remove = () => api.core.removeChargePoint(accountId, chargePointId)
      orRefused(await removingEvses(api, { accountId, chargePointId }, remove))
    },
  })
}

type SortKey = readonly [sortedBy: string | number, id: string] | readonly [id: string]

/** A cursor of a version that sorted by ids alone names one. */
function isSortedPlace(position: CursorKey): position is SortKey {
  const [sortedBy, id = sortedBy] = position
  return sortedBy !== undefined && typeof id === 'string' && position.length <= 2
}

async function representOne(api: Api, view: ChargePointView): Promise<object> {
  const [represented = {}] = await representChargePoints(api, [view])
  return represented
}

const PASSWORD_NOT_REPORTED =
  'The charge point does not receive its new password: it cannot log in until the same one is set there. POST /2/password-rotations changes it on both sides, and so does a command: SetVariables of BasicAuthPassword, or ChangeConfiguration of AuthorizationKey.'

// A charge point as the API shows it (API-A5): registration, what it reported, and whether it is online.

/** In the order given. Passwords and their hashes are never part of it. */
async function representChargePoints(
  { core, reads }: { readonly core: Pick<Core, 'connectivity'>; readonly reads: Pick<Reads, 'listRecords'> },
  views: readonly ChargePointView[],
): Promise<readonly object[]> {
  const connectivity = views.length > 0 ? await core.connectivity(views.map((view) => view.id)) : []
  const live = new Map(connectivity.map((entry) => [entry.chargePointId, entry]))
  const wirings = await wiringsOf(reads, views)
  return views.map((view) => {
    const wiring = wirings.get(view.id)
    const now = live.get(view.id)
    return shown(
      ChargePointSchema,
      { ...view.status, ...view },
      {
        protocol: now?.protocol ?? view.status.protocol,
        online: now?.online ?? false,
        lastSeenAt: now?.lastSeenAt ?? view.status.lastSeenAt,
        connectors: view.connectors.map((one) =>
          shown(ConnectorSchema, { ...one, ...wiredAs(wiring?.connectors, one.evseId, one.connectorId) }),
        ),
        disabled: view.disabled || undefined,
        acceptExpired: view.acceptExpired || undefined,
        priority: wiring?.priority,
      },
    )
  })
}

async function wiringsOf(
  reads: Pick<Reads, 'listRecords'>,
  views: readonly ChargePointView[],
): Promise<ReadonlyMap<string, Wiring>> {
  if (views.length === 0) return new Map()
  const where = { chargePointId: { in: views.map(({ id }) => id) } }
  const rows = await reads.listRecords('wirings', { where, limit: views.length })
  return new Map(rows.map((row) => [row.chargePointId, row]))
}

function wiredAs(
  wired: readonly ConnectorWiring[] = [],
  evseId: number | undefined,
  connectorId: number,
): Omit<ConnectorWiring, 'evseId' | 'connectorId'> {
  const found = wired.find((one) => one.connectorId === connectorId && (one.evseId ?? evseId) === evseId)
  const { evseId: _, connectorId: _c, ...rest } = found ?? { connectorId }
  return rest
}
