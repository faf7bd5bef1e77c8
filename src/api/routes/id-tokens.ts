/** Authorisation tokens of an account (API-A7). */

import { readCardFile } from '../../application/id-tokens/import.ts'
import { json as described, located, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import {
  ChangeIdTokenSchema,
  CreateIdTokenSchema,
  IdTokenListSchema,
  IdTokenSchema,
  ImportedIdTokensSchema,
  ImportIdTokensSchema,
  idTokenParams,
  idTokenQuery,
} from '../../application/schemas/id-tokens.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { IdToken } from '../../domain/ports/sessions.ts'
import { credentialOnly } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { invalidRequest, notFound, Problem } from '../problem.ts'
import { json, noContent } from '../respond.ts'

const TAG = 'Id tokens'
const PATH = '/2/id-tokens'

export function addIdTokens(api: Api): void {
  const { endpoints, reads, writes, now } = api
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listIdTokens',
    tag: TAG,
    summary: 'List id tokens by id',
    access: credentialOnly,
    query: idTokenQuery,
    responses: { 200: described(IdTokenListSchema, 'A page of id tokens') },
    async handle({ principal, query: { limit = PAGE_DEFAULT, cursor, ...rest } }) {
      const bound = listQuery('id tokens', principal, { limit, ...rest })
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, (count, afterId) =>
        reads.listIdTokens(principal.accountId, { limit: count, ...(afterId !== undefined && { afterId }) }),
      )
      return json({ data: rows.map(represent), meta: { nextCursor } })
    },
  })
  endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createIdToken',
    tag: TAG,
    summary: 'Create an id token',
    access: credentialOnly,
    body: CreateIdTokenSchema,
    problems: [409],
    responses: { 201: located(IdTokenSchema, 'The id token') },
    async handle({ principal, body: { id, type = 'ISO14443', status = 'Accepted', ...optional } }) {
      const token: IdToken = { accountId: principal.accountId, id, type, status, ...optional, createdAt: now() }
      if ((await writes.createIdToken(token)) === 'exists') {
        throw new Problem(409, 'id_token_exists', `The id token ${id} exists already; change it with PATCH.`)
      }
      return json(represent(token), 201, { location: `${PATH}/${encodeURIComponent(id)}` })
    },
  })
  endpoints.add({
    method: 'post',
    // Not below the list, where it would be somebody's card.
    path: '/2/id-token-imports',
    operationId: 'importIdTokens',
    tag: TAG,
    summary: 'Import id tokens from CSV',
    description:
      'Faults are told by line (`/csv/{line}`), and with any of them nothing is taken. A repetition changes nothing.',
    access: credentialOnly,
    body: ImportIdTokensSchema,
    responses: { 200: described(ImportedIdTokensSchema, 'How many were made and changed') },
    async handle({ principal, body }) {
      const read = readCardFile(body.csv, { accountId: principal.accountId, createdAt: now() })
      if ('faults' in read) {
        throw invalidRequest(
          read.faults.map(({ line, message }) => ({ pointer: `/csv/${line}`, code: 'invalid_value', message })),
        )
      }
      const { created, changed } = await writes.importIdTokens(read.tokens, read.columns)
      return json({ created, changed, unchanged: read.tokens.length - created - changed })
    },
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{idToken}`,
    operationId: 'getIdToken',
    tag: TAG,
    summary: 'Get an id token',
    access: credentialOnly,
    params: idTokenParams,
    responses: { 200: described(IdTokenSchema, 'The id token') },
    async handle({ principal, params }) {
      return json(represent(known(await reads.findIdToken(principal.accountId, params.idToken))))
    },
  })
  endpoints.add({
    method: 'patch',
    path: `${PATH}/{idToken}`,
    operationId: 'changeIdToken',
    tag: TAG,
    summary: 'Change an id token',
    description: 'null removes an optional attribute.',
    access: credentialOnly,
    params: idTokenParams,
    body: ChangeIdTokenSchema,
    responses: { 200: described(IdTokenSchema, 'The id token') },
    async handle({ principal, params, body }) {
      return json(represent(known(await writes.updateIdToken(principal.accountId, params.idToken, body))))
    },
  })
  endpoints.add({
    method: 'delete',
    path: `${PATH}/{idToken}`,
    operationId: 'deleteIdToken',
    tag: TAG,
    summary: 'Delete an id token',
    access: credentialOnly,
    params: idTokenParams,
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal, params }) {
      if (!(await writes.deleteIdToken(principal.accountId, params.idToken))) throw notFound('id token')
      return noContent()
    },
  })
}

function known(token: IdToken | undefined): IdToken {
  if (!token) throw notFound('id token')
  return token
}

function represent({ accountId: _, expiresAt, createdAt, ...token }: IdToken): object {
  return {
    ...token,
    ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
    createdAt: isoTime(createdAt),
  }
}
