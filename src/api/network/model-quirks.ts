/** Models that are asked for their configuration keys in tens: shown, and taken back (DEVICE-A6). */
import { z } from '@hono/zod-openapi'
import { listOf, pageQuery, time } from '../../application/schemas/common.ts'
import type { ModelQuirk } from '../../domain/device-model/records.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { parsedJson } from '../../domain/parsed-json.ts'
import type { Api } from '../api-parts.ts'
import { pageOf } from '../list-page.ts'
import { notFound } from '../problem.ts'
import { resource } from '../resource.ts'

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

export function addModelQuirks(api: Api): void {
  const { reads, writes } = api
  const quirks = resource(api, { tag: 'Device model', path: '/2/model-quirks' })
  quirks.get('', 'listModelQuirks', 'List models that are asked for their configuration keys in tens', {
    query: pageQuery,
    ok: [listOf('ModelQuirkList', QuirkSchema), 'A page of models'],
    handle: (request) =>
      pageOf(api, request, {
        name: 'model quirks',
        place: (quirk: ModelQuirk) => [quirkId(quirk)],
        rows: (limit, last) => {
          const { accountId } = request.principal
          const after = last && quirkKey(accountId, last[0])
          return reads.listRecords('model_quirks', { where: { accountId }, limit, after })
        },
        show: (rows) => rows.map(represented),
      }),
  })
  quirks.delete(
    '/{quirkId}',
    'deleteModelQuirk',
    'Delete a quirk, so that the model is asked for all keys at once again',
    {
      params: z.object({ quirkId: z.string().max(1000) }),
      done: 'Taken back',
      async handle({ principal: { accountId }, params }) {
        const key = quirkKey(accountId, params.quirkId)
        if (!key || !(await reads.getRecord('model_quirks', key))) throw notFound('model')
        await writes.removeRecords('model_quirks', [key])
      },
    },
  )
}

function represented(quirk: ModelQuirk): object {
  const { vendor, model, firmwareVersion, provedBy, at } = quirk
  return {
    id: quirkId(quirk),
    quirk: 'dropsOnGetConfiguration',
    vendor: vendor || undefined,
    model: model || undefined,
    firmwareVersion: firmwareVersion || undefined,
    evseControllerId: provedBy,
    at: isoTime(at),
  }
}

type QuirkKey = Pick<ModelQuirk, 'accountId' | 'vendor' | 'model' | 'firmwareVersion'>

function quirkId({ vendor, model, firmwareVersion }: QuirkKey): string {
  return Buffer.from(JSON.stringify([vendor, model, firmwareVersion])).toString('base64url')
}

function quirkKey(accountId: string, id: string): QuirkKey | undefined {
  const names = parsedJson(Buffer.from(id, 'base64url').toString())
  if (!Array.isArray(names) || names.length !== 3 || !names.every((name) => typeof name === 'string')) return undefined
  const [vendor = '', model = '', firmwareVersion = ''] = names
  return { accountId, vendor, model, firmwareVersion }
}
