/** The endpoints that follow from the declaration of a resource. */
import { schemasOf } from '../application/resource/kinds.ts'
import * as order from '../application/resource/orders.ts'
import { pageQuery } from '../application/schemas/common.ts'
import type { Refusal } from '../domain/ports/storage-records.ts'
import {
  type Act,
  idName,
  idOf,
  nounOf,
  operationId,
  pathOf,
  type Resource,
  type Row,
} from '../domain/resources/resource.ts'
import type { Api } from './api-parts.ts'
import { pageOf, resource } from './resource.ts'
import { orRefused } from './respond.ts'

export function addDeclared(api: Api, of: Resource): void {
  const { operations, store } = of
  const [one, many] = [nounOf(of), `${nounOf(of)}s`]
  const schemas = schemasOf(of)
  const common = { tag: of.api?.tag ?? many.replace(/^./, (first) => first.toUpperCase()), path: `/2${pathOf(of)}` }
  const all = resource(api, common)
  const each = resource(api, { ...common, path: `${common.path}/{${idName(of)}}`, params: schemas.params })
  const named = (act: Act, summary: string) =>
    [operationId(of, act) as 'listTariffs', operations[act]?.summary ?? summary] as const
  const idIn = (params: Readonly<Record<string, unknown>>): string => String(params[idName(of)])
  const shown = async (row: Promise<Row | Refusal>) => order.represent(of, orRefused(await row))
  const show = (rows: readonly Row[]) => rows.map((row) => order.represent(of, row))
  all.get('', ...named('list', `List ${many}`), {
    ...(store.id && { query: pageQuery }),
    ok: [schemas.list, operations.list.answer ?? `All ${many}`],
    async handle(request) {
      const { accountId } = request.principal
      if (!store.id) return { data: show(await store.list(api.reads, accountId)), meta: {} }
      return pageOf<Row>(api, request, {
        name: many,
        place: (row) => [idOf(of, row)],
        rows: (limit, last) => store.list(api.reads, accountId, { limit, afterId: last?.[0] }),
        show,
      })
    },
  })
  if (operations.get)
    each.get('', ...named('get', `Get a ${one}`), {
      ok: [schemas.one, `The ${one}`],
      handle: ({ principal, params }) => shown(order.get(of, api.reads, principal.accountId, idIn(params))),
    })
  if (operations.create)
    all.post('', ...named('create', `Create a ${one}`), {
      description: operations.create.describe,
      body: schemas.create,
      problems: [404, 409],
      created: [schemas.one, `The ${one}`],
      handle: ({ principal, body }) => shown(order.create(of, api, principal.accountId, order.membersOf(of, body))),
    })
  if (operations.change)
    each.patch('', ...named('change', `${'version' in of.fields ? 'Create a new version of' : 'Change'} a ${one}`), {
      description: operations.change.describe,
      body: schemas.change,
      ok: [schemas.one, `The ${one}`],
      async handle({ principal, params, body }) {
        const before = orRefused(await order.get(of, api.reads, principal.accountId, idIn(params)))
        return shown(order.change(of, api, before, order.membersOf(of, body, before)))
      },
    })
  if (operations.replace)
    each.put('', ...named('replace', `Replace a ${one}`), {
      description: operations.replace.describe,
      body: schemas.replace,
      problems: [404, 409],
      ok: [schemas.one, `The ${one}`],
      async handle({ principal, params, body }) {
        const before = orRefused(await order.get(of, api.reads, principal.accountId, idIn(params)))
        const members = order.membersOf(of, body, { accountId: principal.accountId })
        return shown(order.replace(of, api, before, members))
      },
    })
  if (operations.delete)
    each.delete('', ...named('delete', `Delete a ${one}`), {
      description: operations.delete.describe,
      done: operations.delete.answer ?? 'Deleted',
      handle: ({ principal, params }) => order.remove(of, api, principal.accountId, idIn(params)),
    })
}
