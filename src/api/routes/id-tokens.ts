/** Authorisation tokens of an account (API-A7). */
import {
  changeIdToken,
  createIdToken,
  deleteIdToken,
  findIdToken,
  importIdTokens,
  representIdToken,
} from '../../application/id-tokens/id-tokens.ts'
import { pageQuery } from '../../application/schemas/common.ts'
import {
  ChangeIdTokenSchema,
  CreateIdTokenSchema,
  IdTokenListSchema,
  IdTokenSchema,
  ImportedIdTokensSchema,
  ImportIdTokensSchema,
  idTokenParams,
} from '../../application/schemas/id-tokens.ts'
import type { Api } from '../api-parts.ts'
import { pageOf, resource } from '../resource.ts'
import { invalidRequest, orRefused } from '../respond.ts'

const COMMON = { tag: 'Id tokens', path: '/2/id-tokens' } as const

export function addIdTokens(api: Api): void {
  const tokens = resource(api, COMMON)
  const token = resource(api, { ...COMMON, path: `${COMMON.path}/{idToken}`, params: idTokenParams })
  tokens.get('', 'listIdTokens', 'List id tokens by id', {
    query: pageQuery,
    ok: [IdTokenListSchema, 'A page of id tokens'],
    handle: (request) =>
      pageOf(api, request, {
        name: 'id tokens',
        rows: (limit, after) => api.reads.listIdTokens(request.principal.accountId, { limit, afterId: after?.[0] }),
        show: (rows) => rows.map(representIdToken),
      }),
  })
  tokens.post('', 'createIdToken', 'Create an id token', {
    body: CreateIdTokenSchema,
    problems: [409],
    created: [IdTokenSchema, 'The id token'],
    handle: async ({ principal: { accountId }, body }) =>
      representIdToken(orRefused(await createIdToken(api, { accountId, ...body }))),
  })
  // Not below the list, where it would be taken for a card's id.
  resource(api, { ...COMMON, path: '/2/id-token-imports' }).post('', 'importIdTokens', 'Import id tokens from CSV', {
    description:
      'Faults are reported by line (`/csv/{line}`), and with any of them nothing is taken. A repetition changes nothing.',
    body: ImportIdTokensSchema,
    ok: [ImportedIdTokensSchema, 'How many were made and changed'],
    async handle({ principal, body }) {
      const imported = await importIdTokens(api, principal.accountId, body.csv)
      if (!('faults' in imported)) return imported
      throw invalidRequest(
        imported.faults.map(({ line, message }) => ({ pointer: `/csv/${line}`, code: 'invalid_value', message })),
      )
    },
  })
  token.get('', 'getIdToken', 'Get an id token', {
    ok: [IdTokenSchema, 'The id token'],
    handle: async ({ principal, params }) =>
      representIdToken(orRefused(await findIdToken(api, principal.accountId, params.idToken))),
  })
  token.patch('', 'changeIdToken', 'Change an id token', {
    description: 'null removes an optional attribute.',
    body: ChangeIdTokenSchema,
    problems: [422],
    ok: [IdTokenSchema, 'The id token'],
    async handle({ principal: { accountId }, params: { idToken: id }, body }) {
      return representIdToken(orRefused(await changeIdToken(api, { accountId, id }, body)))
    },
  })
  token.delete('', 'deleteIdToken', 'Delete an id token', {
    done: 'Deleted',
    handle: ({ principal, params }) => deleteIdToken(api, principal.accountId, params.idToken),
  })
}
