/** Local authorisation lists over the API (LIST-A1). */

import {
  LocalListSchema,
  PutLocalListSchema,
  putLocalList,
  removeLocalList,
  stationsOfList,
} from '../../application/local-lists/orders.ts'
import { listOf } from '../../application/schemas/common.ts'
import { shown } from '../../application/schemas/shown.ts'
import type { Api } from '../api-parts.ts'
import { addNamedOfFleet } from './named-of-fleet.ts'

export function addLocalLists(api: Api): void {
  addNamedOfFleet(api, {
    kind: 'local_lists',
    tag: 'Local lists',
    operations: 'LocalList',
    noun: 'local list',
    several: { operation: 'listLocalLists', noun: 'local lists', schema: listOf('LocalListList', LocalListSchema) },
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
    remove: (found) => removeLocalList(api, found),
  })
}
