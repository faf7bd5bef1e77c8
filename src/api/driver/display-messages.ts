/** Messages on the display of a charge point over the API (DRIVER-M1). */
import {
  DisplayMessageListSchema,
  DisplayMessageSchema,
  displayMessageParams,
  displayMessagesOf,
  findDisplayMessage,
  PutDisplayMessageSchema,
  putDisplayMessage,
  removeDisplayMessage,
  representDisplayMessage,
  representOther,
} from '../../application/display-messages/orders.ts'
import type { Intent } from '../../domain/intents/records.ts'
import { grantOf } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { orNotFound } from '../problem.ts'
import { chargePointResource } from '../resource.ts'
import { orRefused } from '../respond.ts'

export function addDisplayMessages(api: Api): void {
  const messages = chargePointResource(api, { tag: 'Display messages', path: '/display-messages' })
  const params = displayMessageParams
  messages.put('/{name}', 'putDisplayMessage', 'Create or replace a display message', {
    description:
      'What the display of the charge point is to show. It is sent now or when the charge point connects, looked for after each boot, and sent again where it is missing; intent tells how far it is, and intent.changed each change. What the charge point says that it cannot show is refused.',
    body: PutDisplayMessageSchema,
    problems: [409, 422],
    params,
    replaced: [DisplayMessageSchema],
    holds: ({ chargePoint, params: { name } }) => findDisplayMessage(api, chargePoint.id, name),
    async handle({ principal, chargePoint, params: { name }, body }) {
      const known = await findDisplayMessage(api, chargePoint.id, name)
      const put = orRefused(await putDisplayMessage(api, chargePoint, name, body, grantOf(principal)))
      return { before: known, shown: representDisplayMessage(put) }
    },
  })
  messages.get('/{name}', 'getDisplayMessage', 'Get a display message', {
    params,
    ok: [DisplayMessageSchema, 'The message, and how far it is'],
    handle: async ({ chargePoint, params: { name } }) => representDisplayMessage(await find(api, chargePoint.id, name)),
  })
  messages.delete('/{name}', 'deleteDisplayMessage', 'Delete a display message', {
    params,
    description: 'The charge point is asked to clear it now, or when it connects.',
    done: 'Deleted',
    holds: ({ chargePoint, params: { name } }) => find(api, chargePoint.id, name),
    async handle({ chargePoint, params: { name } }) {
      const refused = await removeDisplayMessage(api, await find(api, chargePoint.id, name))
      if (refused) orRefused(refused)
    },
  })
  messages.get('', 'listDisplayMessages', 'List display messages of a charge point', {
    ok: [DisplayMessageListSchema, 'All requested messages, and others that the charge point reports'],
    async handle({ chargePoint: { id } }) {
      const { requested, others } = await displayMessagesOf(api, id)
      return { data: requested.map(representDisplayMessage), others: others.map(representOther), meta: {} }
    },
  })
}

async function find(api: Api, chargePointId: string, name: string): Promise<Intent> {
  return orNotFound(await findDisplayMessage(api, chargePointId, name), 'display message')
}
