/** Models that are asked for their configuration keys in tens: shown, and taken back (DEVICE-A6). */
import { z } from '@hono/zod-openapi'
import {
  cursorParameter,
  json as described,
  limitParameter,
  listOf,
  PAGE_DEFAULT,
  time,
} from '../../application/schemas/common.ts'
import type { ModelQuirk } from '../../domain/device-model/records.ts'
import { credentialOnly } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { listPage, listQuery } from '../list-page.ts'
import { notFound } from '../problem.ts'
import { json, noContent } from '../respond.ts'
import { quirkId, quirkKey } from './quirk-id.ts'

const TAG = 'Device model'
const PATH = '/2/model-quirks'

const QuirkSchema = z
  .strictObject({
    id: z.string(),
    quirk: z.literal('dropsOnGetConfiguration').openapi({
      description: 'It dropped its connection twice when it was asked for all configuration keys.',
    }),
    vendor: z.string().optional(),
    model: z.string().optional(),
    firmwareVersion: z.string().optional(),
    evseControllerId: z.string().openapi({ description: 'The charge point that did so.' }),
    at: time(),
  })
  .openapi('ModelQuirk')

export function addModelQuirks({ endpoints, reads, writes, ...api }: Api): void {
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listModelQuirks',
    tag: TAG,
    summary: 'List models that are asked for their configuration keys in tens',
    access: credentialOnly,
    query: z.strictObject({ limit: limitParameter, cursor: cursorParameter }),
    responses: { 200: described(listOf('ModelQuirkList', QuirkSchema), 'A page of models') },
    async handle({ principal, query: { limit = PAGE_DEFAULT, cursor } }) {
      const { accountId } = principal
      const bound = listQuery('model quirks', principal, { limit })
      const { rows, nextCursor } = await listPage(api, { limit, cursor, bound }, async (count, lastId) => {
        const after = lastId === undefined ? undefined : quirkKey(accountId, lastId)
        const page = await reads.listRecords('model_quirks', {
          ...{ where: { accountId }, limit: count },
          ...(after && { after }),
        })
        return page.map((quirk) => ({ id: quirkId(quirk), quirk }))
      })
      return json({ data: rows.map(({ quirk }) => represented(quirk)), meta: { nextCursor } })
    },
  })
  endpoints.add({
    method: 'delete',
    path: `${PATH}/{quirkId}`,
    operationId: 'deleteModelQuirk',
    tag: TAG,
    summary: 'Delete a quirk, so that the model is asked for all keys at once again',
    access: credentialOnly,
    params: z.object({ quirkId: z.string().max(1000) }),
    responses: { 204: { description: 'Taken back' } },
    async handle({ principal: { accountId }, params }) {
      const key = quirkKey(accountId, params.quirkId)
      if (!key || !(await reads.getRecord('model_quirks', key))) throw notFound('model')
      await writes.removeRecords('model_quirks', [key])
      return noContent()
    },
  })
}

function represented(quirk: ModelQuirk): object {
  const { vendor, model, firmwareVersion, provedBy, at } = quirk
  return {
    id: quirkId(quirk),
    quirk: 'dropsOnGetConfiguration',
    ...(vendor && { vendor }),
    ...(model && { model }),
    ...(firmwareVersion && { firmwareVersion }),
    evseControllerId: provedBy,
    at: new Date(at).toISOString(),
  }
}
