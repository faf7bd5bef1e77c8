/** What an account says of a model of charge points, whatever it announces (CHARGING-S5). */

import { noRoomFor } from '../../application/account-limits.ts'
import { PutStationModelSchema, StationModelSchema, stationModelParams } from '../../application/charging/schemas.ts'
import { shown } from '../../application/schemas/shown.ts'
import type { ModelAbilities } from '../../domain/charging/records.ts'
import { foundPages } from '../../domain/every-page.ts'
import type { Api } from '../api-parts.ts'
import { orNotFound } from '../problem.ts'
import { resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

export function addStationModels(api: Api): void {
  const { reads, writes } = api
  const models = resource(api, {
    tag: 'Charging limits',
    path: '/2/station-models/{vendor}/{model}',
    params: stationModelParams,
  })
  const find = async (accountId: string, names: { vendor: string; model: string }): Promise<ModelAbilities> => {
    return orNotFound(await reads.getRecord('model_abilities', { accountId, ...names }), 'station model')
  }
  models.put('', 'putStationModel', 'Create or replace what is known of a station model', {
    description: 'For all charge points of the account that say that they are this model.',
    body: PutStationModelSchema,
    problems: [409],
    replaced: [StationModelSchema],
    async handle({ principal: { accountId }, params, body: { limitKey, abilities = {} } }) {
      const before = await reads.getRecord('model_abilities', { accountId, ...params })
      if (!before) orRefused((await noRoomFor('model_abilities', reads, accountId)) ?? {})
      const at = api.now()
      const after: ModelAbilities = {
        accountId,
        ...params,
        abilities,
        createdAt: before?.createdAt ?? at,
        updatedAt: at,
        limitKey,
      }
      await writes.putRecords('model_abilities', [after])
      await lookAgain(api, accountId, params)
      return { before, shown: shown(StationModelSchema, after) }
    },
  })
  models.get('', 'getStationModel', 'Get what is known of a station model', {
    ok: [StationModelSchema, 'The model'],
    handle: async ({ principal, params }) => shown(StationModelSchema, await find(principal.accountId, params)),
  })
  models.delete('', 'deleteStationModel', 'Delete what is known of a station model', {
    done: 'Deleted',
    async handle({ principal: { accountId }, params }) {
      await find(accountId, params)
      await writes.removeRecords('model_abilities', [{ accountId, ...params }])
      await lookAgain(api, accountId, params)
    },
  })
}

async function lookAgain({ reads, core }: Api, accountId: string, filter: { vendor: string; model: string }) {
  for await (const page of foundPages(reads, { accountId, filter, sort: 'id' })) {
    for (const { view } of page) {
      const chargePointId = view.id
      if (!(await reads.getRecord('charging_stations', { chargePointId }))) continue
      await core.decideBlock({ accountId, chargePointId, input: { kind: 'chargingModelChanged' } })
    }
  }
}
