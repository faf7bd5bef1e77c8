/** Desired configurations over the API (CONFIG-A1). */
import type { z } from '@hono/zod-openapi'
import {
  putConfiguration,
  removeConfiguration,
  shownValue,
  stationsOf,
} from '../../application/configuration/orders.ts'
import {
  ConfigurationSchema,
  ConfigurationStatusSchema,
  configurationParams,
  PutConfigurationSchema,
  statusQuery,
} from '../../application/configuration/schemas.ts'
import { json as described, located } from '../../application/schemas/common.ts'
import type { Configuration } from '../../domain/configuration/records.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { versions } from '../../ocpp/versions.ts'
import { capabilitiesOf, grantOf, needsScope, requireOrdered, sharedChargePoints } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { Api } from '../api-parts.ts'
import { notFound, Problem } from '../problem.ts'
import { resource } from '../resource.ts'
import { json, orRefused } from '../respond.ts'
import { statusPage } from './status-page.ts'

type Asked = z.output<typeof PutConfigurationSchema>

export function addConfigurations(api: Api): void {
  const configurations = resource(api, {
    tag: 'Configurations',
    path: '/2/configurations/{name}',
    access: needsScope('chargers:configure'),
    params: configurationParams,
  })
  configurations.put('', 'putConfiguration', 'Create or replace a configuration', {
    description:
      'Every charge point that the selector means gets these values, now or when it connects, and also one that comes to be meant later. Each is read back; what a charge point changes later is set again, three times a day at most. GET …/status tells how far it is.',
    body: PutConfigurationSchema,
    problems: [409, 422],
    responses: {
      200: described(ConfigurationSchema, 'It was there before'),
      201: located(ConfigurationSchema, 'It is new'),
    },
    async handle({ principal, params: { name }, body }) {
      requireShared(principal, body.selector)
      requireReach(principal, body as Asked)
      const { accountId } = principal
      const known = await api.reads.getRecord('configurations', { accountId, name })
      if (known) requireOrdered(principal, known)
      const asked = { ...withAttributes(body as Asked), grantId: grantOf(principal) }
      const { before, after } = orRefused(await putConfiguration(api, accountId, name, asked))
      return before ? represented(after) : json(represented(after), 201, { location: `/2/configurations/${name}` })
    },
  })
  configurations.get('', 'getConfiguration', 'Get a configuration', {
    ok: [ConfigurationSchema, 'The configuration'],
    handle: async ({ principal, params: { name } }) => represented(await find(api, principal, name)),
  })
  configurations.get('/status', 'getConfigurationStatus', 'Get the status of a configuration', {
    query: statusQuery,
    ok: [ConfigurationStatusSchema, 'Counts, and a page of charge points by id'],
    async handle(request) {
      const { name } = request.params
      const stations = await stationsOf(api, await find(api, request.principal, name))
      return statusPage(api, request, `status of configuration ${name}`, stations)
    },
  })
  configurations.delete('', 'deleteConfiguration', 'Delete a configuration', {
    description: 'What charge points were set stays as it is; what waits is not sent any more.',
    done: 'Deleted',
    async handle({ principal, params: { name } }) {
      const configuration = await find(api, principal, name)
      requireOrdered(principal, configuration)
      await removeConfiguration(api, configuration)
    },
  })
}

/** @throws Problem 404, also where the application may not know of it */
async function find({ reads }: Api, principal: Principal, name: string): Promise<Configuration> {
  const found = await reads.getRecord('configurations', { accountId: principal.accountId, name })
  if (!found || !isShared(principal, found.selector)) throw notFound('configuration')
  return found
}

/** OIDC-C8: an application reaches the charge points that its user shares, and no others. */
export function requireShared(principal: Principal, selector: Selector): void {
  if (isShared(principal, selector)) return
  throw new Problem(
    403,
    'insufficient_scope',
    'The selector means charge points that are not shared with the application: name the shared ones in ids.',
  )
}

export function isShared(principal: Principal, { ids }: Selector): boolean {
  const shared = sharedChargePoints(principal)
  return shared === undefined || ids?.every((id) => shared.includes(id)) === true
}

/** OIDC-C11, for settings as for commands. @throws Problem 403 */
function requireReach(
  principal: Principal,
  { variables = [], keys16 = [] }: Pick<Asked, 'variables' | 'keys16'>,
): void {
  if (capabilitiesOf(principal) === undefined) return
  const setVariables = versions['ocpp2.0.1'].toChargePoint.SetVariables
  const changeKey = versions['ocpp1.6'].toChargePoint.ChangeConfiguration
  const pointers = [
    ...variables.flatMap(({ component, variable }, at) => {
      const needs = setVariables?.capability({ setVariableData: [{ component, variable }] })
      return needs === 'connection' ? [`/variables/${at}/variable/name`] : []
    }),
    ...keys16.flatMap(({ key }, at) => (changeKey?.capability({ key }) === 'connection' ? [`/keys16/${at}/key`] : [])),
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

function represented(configuration: Configuration): object {
  const { name, selector, priority, variables, keys16, rebootPolicy, rebootWindow, revision } = configuration
  return {
    name,
    selector,
    priority,
    variables: variables.length > 0 ? variables.map(shown) : undefined,
    keys16: keys16.length > 0 ? keys16.map(shown) : undefined,
    rebootPolicy,
    window: rebootWindow,
    revision,
    createdAt: isoTime(configuration.createdAt),
    updatedAt: isoTime(configuration.updatedAt),
  }
}

function shown<Named extends { readonly value: string; readonly isSecret?: true | undefined }>(one: Named): object {
  const { isSecret: _, ...named } = one
  return { ...named, value: shownValue(one) }
}
