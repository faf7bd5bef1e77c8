/** Local authorisation lists over the API (LIST-A1). */
import { ConfigurationStatusSchema, configurationParams, statusQuery } from '../../application/configuration/schemas.ts'
import { putLocalList, removeLocalList, stationsOfList } from '../../application/local-lists/orders.ts'
import { LocalListSchema, PutLocalListSchema } from '../../application/local-lists/schemas.ts'
import { json as described, located } from '../../application/schemas/common.ts'
import type { LocalList } from '../../domain/local-lists/records.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import { grantOf, needsScope, requireOrdered } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { notFound } from '../problem.ts'
import { resource } from '../resource.ts'
import { json, orRefused } from '../respond.ts'
import { isShared, requireShared } from './configuration.ts'
import { statusPage } from './status-page.ts'

export function addLocalLists(api: Api): void {
  const lists = resource(api, {
    tag: 'Local lists',
    path: '/2/local-lists/{name}',
    access: needsScope('chargers:configure'),
    params: configurationParams,
  })
  lists.put('', 'putLocalList', 'Create or replace a local list', {
    description:
      'Every charge point that the selector means gets these id tokens and may let them charge while it is offline. What changes of a token reaches it at once, or when it connects. A charge point has one list. GET …/status tells how far it is.',
    body: PutLocalListSchema,
    problems: [409, 422],
    responses: { 200: described(LocalListSchema, 'It was there before'), 201: located(LocalListSchema, 'It is new') },
    async handle({ principal, params: { name }, body }) {
      requireShared(principal, body.selector)
      const { accountId } = principal
      const known = await api.reads.getRecord('local_lists', { accountId, name })
      if (known) requireOrdered(principal, known)
      const put = await putLocalList(api, accountId, name, { ...body, grantId: grantOf(principal) })
      const { before, after } = orRefused(put)
      return before ? represented(after) : json(represented(after), 201, { location: `/2/local-lists/${name}` })
    },
  })
  lists.get('', 'getLocalList', 'Get a local list', {
    ok: [LocalListSchema, 'The list'],
    handle: async ({ principal, params: { name } }) => represented(await find(api, principal, name)),
  })
  lists.get('/status', 'getLocalListStatus', 'Get the status of a local list', {
    query: statusQuery,
    ok: [ConfigurationStatusSchema, 'Counts, and a page of charge points by id'],
    async handle(request) {
      const { name } = request.params
      const stations = await stationsOfList(api, await find(api, request.principal, name))
      return statusPage(api, request, `status of local list ${name}`, stations)
    },
  })
  lists.delete('', 'deleteLocalList', 'Delete a local list', {
    description: 'Charge points that have it are sent an empty one.',
    done: 'Deleted',
    async handle({ principal, params: { name } }) {
      const list = await find(api, principal, name)
      requireOrdered(principal, list)
      await removeLocalList(api, list)
    },
  })
}

/** @throws Problem 404, also where the application may not know of it */
async function find({ reads }: Api, principal: Principal, name: string): Promise<LocalList> {
  const found = await reads.getRecord('local_lists', { accountId: principal.accountId, name })
  if (!found || !isShared(principal, found.selector)) throw notFound('local list')
  return found
}

function represented({ name, selector, tokens, contentAt, createdAt, updatedAt }: LocalList): object {
  const dates = { changedAt: isoTime(contentAt), createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) }
  return { name, selector, tokens, ...dates }
}
