/** Desired configurations over the API (CONFIG-A1). */

import type { z } from '@hono/zod-openapi'
import { putConfiguration, shownValue, stationsOf } from '../../application/configuration/orders.ts'
import { ConfigurationSchema, PutConfigurationSchema } from '../../application/configuration/schemas.ts'
import { listOf, shown } from '../../application/schemas/common.ts'
import type { Configuration } from '../../domain/configuration/records.ts'
import { concernsConnection } from '../../ocpp/translate/payload.ts'
import { capabilitiesOf, type Principal } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { Problem } from '../respond.ts'
import { addNamedOfFleet } from './named-of-fleet.ts'

type Asked = z.output<typeof PutConfigurationSchema>

export function addConfigurations(api: Api): void {
  addNamedOfFleet(api, {
    kind: 'configurations',
    tag: 'Configurations',
    operations: 'Configuration',
    noun: 'configuration',
    list: ['listConfigurations', 'configurations', listOf('ConfigurationList', ConfigurationSchema)],
    path: '/2/configurations',
    put: {
      description:
        'Every charge point that the selector means gets these values, now or when it connects, and also one that comes to be meant later. Each is read back; what a charge point changes later is set again, three times a day at most. GET …/status tells how far it is.',
      body: PutConfigurationSchema,
      replaced: [ConfigurationSchema],
      async handle({ principal, accountId, name, body, grantId }) {
        requireReach(principal, body)
        return putConfiguration(api, accountId, name, { ...withAttributes(body), grantId })
      },
    },
    ok: [ConfigurationSchema, 'The configuration'],
    show: represented,
    status: 'configuration',
    stations: (found) => stationsOf(api, found),
    removal: 'What charge points were set stays as it is; what waits is not sent any more.',
  })
}

/** OIDC-C11, for settings as for commands. @throws Problem 403 */
function requireReach(
  principal: Principal,
  { variables = [], keys16 = [] }: Pick<Asked, 'variables' | 'keys16'>,
): void {
  if (capabilitiesOf(principal) === undefined) return
  const pointers = [
    ...variables.flatMap(({ component, variable }, at) =>
      [component.name, variable.name].some(concernsConnection) ? [`/variables/${at}/variable/name`] : [],
    ),
    ...keys16.flatMap(({ key }, at) => (concernsConnection(key) ? [`/keys16/${at}/key`] : [])),
  ]
  if (pointers.length === 0) return
  const code = 'insufficient_scope'
  const detail = `No scope covers what decides where or as whom a charge point connects: ${pointers.join(', ')}.`
  const errors = pointers.map((pointer) => ({ pointer, code, message: 'is not covered by any scope' }))
  throw new Problem(403, code, detail, { errors })
}

function withAttributes({ variables = [], ...rest }: Asked) {
  return { ...rest, variables: variables.map((each) => ({ ...each, attribute: each.attribute ?? 'Actual' })) }
}

function masked<Named extends { readonly value: string; readonly isSecret?: true | undefined }>(one: Named): object {
  const { isSecret: _, ...named } = one
  return { ...named, value: shownValue(one) }
}

function represented(configuration: Configuration): object {
  const { variables, keys16, rebootWindow: window } = configuration
  return shown(ConfigurationSchema, configuration, {
    variables: variables.length > 0 ? variables.map(masked) : undefined,
    keys16: keys16.length > 0 ? keys16.map(masked) : undefined,
    window,
  })
}
