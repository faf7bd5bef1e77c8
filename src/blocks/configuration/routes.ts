/**
 * Desired configurations over the API (CONFIG-A1): stored first, then made the wish for every charge point that is
 * meant.
 */
import type { z } from '@hono/zod-openapi'
import { needsScope, sharedChargePoints } from '../../http/access/access.ts'
import type { Principal } from '../../http/access/principal.ts'
import type { Api } from '../../http/parts.ts'
import { notFound, Problem } from '../../http/problem.ts'
import { json, noContent } from '../../http/respond.ts'
import { json as described, located } from '../../http/schemas/common.ts'
import type { ChargePointView } from '../../ports/storage.ts'
import { sealedBox } from '../../sealed-box.ts'
import { MASKED, namesSecret } from '../device-model/secret-value.ts'
import type { Intent } from '../intents/records.ts'
import { configurationFaults } from './forbidden.ts'
import type { Configuration, Selector } from './records.ts'
import {
  ConfigurationSchema,
  ConfigurationStatusSchema,
  configurationParams,
  PutConfigurationSchema,
} from './schemas.ts'
import { selects } from './selector.ts'
import { countsOf, type StationStatus, statusOf } from './status.ts'

const TAG = 'Configurations'
const PATH = '/2/configurations/{name}'
/** Charge points of one page. */
const STEP = 200
/**
 * Charge points that are told at once. Each brings half a dozen commits with it: a step waits until the one before is
 * committed, so that what other charge points report meanwhile never stands behind the whole fleet (BENCH-B13).
 */
const TOLD_AT_ONCE = 20
/** Whoever waits is answered by then; the rest of a large fleet follows. */
const PATIENCE_MS = 5_000

type Asked = z.output<typeof PutConfigurationSchema>

export function addConfigurations(api: Api): void {
  addPut(api)
  addReading(api)
  addRemoval(api)
}

function addPut(api: Api): void {
  api.endpoints.add({
    method: 'put',
    path: PATH,
    operationId: 'putConfiguration',
    tag: TAG,
    summary: 'Settings for many charge points',
    description:
      'Every charge point that the selector means gets these values, now or when it connects, and also one that comes to be meant later. Each is read back; what a charge point changes later is set again, three times a day at most. GET …/status tells how far it is.',
    access: needsScope('chargers:configure'),
    params: configurationParams,
    body: PutConfigurationSchema,
    problems: [422],
    responses: {
      200: described(ConfigurationSchema, 'It was there before'),
      201: located(ConfigurationSchema, 'It is new'),
    },
    async handle({ principal, params: { name }, body }) {
      requireShared(principal, body.selector)
      const asked = withAttributes(body as Asked)
      const faults = configurationFaults(asked)
      if (faults.length > 0) {
        const detail = faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
        throw new Problem(422, faults[0]?.code ?? 'invalid_value', `No charge point can be set this: ${detail}.`, {
          errors: faults,
        })
      }
      const { accountId } = principal
      const before = await api.reads.getRecord('configurations', { accountId, name })
      if (before) requireShared(principal, before.selector)
      const after = configurationOf(api, accountId, name, asked, before)
      if (after !== before) {
        await api.writes.putRecords('configurations', [after])
        await api.core.configurationsChanged(accountId)
      }
      await settleAll(api, accountId, before ? [before.selector, after.selector] : [after.selector])
      const location = PATH.replace('{name}', name)
      return before ? json(represented(after)) : json(represented(after), 201, { location })
    },
  })
}

function addReading(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'getConfiguration',
    tag: TAG,
    summary: 'One configuration',
    access: needsScope('chargers:configure'),
    params: configurationParams,
    responses: { 200: described(ConfigurationSchema, 'The configuration') },
    async handle({ principal, params: { name } }) {
      return json(represented(await find(api, principal, name)))
    },
  })
  api.endpoints.add({
    method: 'get',
    path: `${PATH}/status`,
    operationId: 'getConfigurationStatus',
    tag: TAG,
    summary: 'How far a configuration has come',
    access: needsScope('chargers:configure'),
    params: configurationParams,
    responses: { 200: described(ConfigurationStatusSchema, 'Counts and charge points') },
    async handle({ principal, params: { name } }) {
      const configuration = await find(api, principal, name)
      return json(await fleetStatus(api, configuration, ({ source }) => source?.configuration === name))
    },
  })
}

function addRemoval(api: Api): void {
  api.endpoints.add({
    method: 'delete',
    path: PATH,
    operationId: 'deleteConfiguration',
    tag: TAG,
    summary: 'Want these settings no longer',
    description: 'What charge points were set stays as it is; what waits is not sent any more.',
    access: needsScope('chargers:configure'),
    params: configurationParams,
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal, params: { name } }) {
      const { accountId, selector } = await find(api, principal, name)
      await api.writes.removeRecords('configurations', [{ accountId, name }])
      await api.core.configurationsChanged(accountId)
      await settleAll(api, accountId, [selector])
      return noContent()
    },
  })
}

/** Something that is wanted of a fleet. */
interface Wanted {
  readonly accountId: string
  readonly selector: Selector
  readonly updatedAt: number
}

/** CONFIG-A11 @param isOf which intents came of it */
export async function fleetStatus(api: Api, wanted: Wanted, isOf: (intent: Intent) => boolean): Promise<object> {
  const intents = await intentsOf(api, wanted.accountId, isOf)
  const data: StationStatus[] = []
  await eachStation(api, wanted.accountId, async (stations) => {
    for (const station of stations) {
      const own = intents.get(station.id)
      const status = own ? statusOf(station.id, own) : waiting(wanted, station)
      if (status) data.push(status)
    }
  })
  return { counts: countsOf(data), data }
}

/** One that has never connected: which of the settings it will get depends on the version that it speaks. */
function waiting({ selector, updatedAt }: Wanted, station: ChargePointView): StationStatus | undefined {
  if (station.status.protocol !== undefined || !selects(selector, selectable(station))) return undefined
  return { evseControllerId: station.id, state: 'pending', updatedAt: new Date(updatedAt).toISOString() }
}

/** By charge point. */
async function intentsOf(
  { reads }: Api,
  accountId: string,
  isOf: (intent: Intent) => boolean,
): Promise<ReadonlyMap<string, readonly Intent[]>> {
  const found = new Map<string, Intent[]>()
  let after: Intent | undefined
  for (;;) {
    const page: readonly Intent[] = await reads.listRecords('intents', {
      where: { accountId },
      limit: STEP,
      ...(after && { after }),
    })
    for (const intent of page) {
      if (!isOf(intent)) continue
      const known = found.get(intent.chargePointId)
      if (known) known.push(intent)
      else found.set(intent.chargePointId, [intent])
    }
    after = page.at(-1)
    if (!after || page.length < STEP) return found
  }
}

/** Every charge point that was or is meant; those that are not reached by then are reached a little later. */
export async function settleAll(api: Api, accountId: string, selectors: readonly Selector[]): Promise<void> {
  const settled = eachStation(api, accountId, async (stations) => {
    const meant = stations.filter((station) => selectors.some((selector) => selects(selector, selectable(station))))
    for (let from = 0; from < meant.length; from += TOLD_AT_ONCE) {
      const chargePointIds = meant.slice(from, from + TOLD_AT_ONCE).map(({ id }) => id)
      await api.core.settleConfigurations({ accountId, chargePointIds })
    }
  }).catch((error: Error) =>
    api.log.error({ error: error.message }, 'a configuration did not reach every charge point yet'),
  )
  let cancel = (): void => undefined
  const patience = new Promise<void>((resolve) => {
    cancel = api.after(PATIENCE_MS, resolve)
  })
  await Promise.race([settled, patience])
  cancel()
}

async function eachStation(
  { reads }: Api,
  accountId: string,
  run: (stations: readonly ChargePointView[]) => Promise<void>,
): Promise<void> {
  let afterId: string | undefined
  for (;;) {
    const page: readonly ChargePointView[] = await reads.listChargePoints(accountId, {
      limit: STEP,
      ...(afterId !== undefined && { afterId }),
    })
    await run(page)
    afterId = page.at(-1)?.id
    if (afterId === undefined || page.length < STEP) return
  }
}

function selectable({ id, labels, status: { vendor, model, firmwareVersion } }: ChargePointView) {
  return { id, labels, vendor, model, firmwareVersion }
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

function withAttributes({ variables = [], ...rest }: Asked) {
  return { ...rest, variables: variables.map((each) => ({ ...each, attribute: each.attribute ?? 'Actual' })) }
}

/** The same record where nothing else is wanted than before. */
function configurationOf(
  { settings, random, now }: Api,
  accountId: string,
  name: string,
  asked: ReturnType<typeof withAttributes>,
  before: Configuration | undefined,
): Configuration {
  const box = sealedBox(settings.secretKey, 'desiredValues', random)
  const { selector, priority = 0, variables, keys16 = [], rebootPolicy = 'never', window } = asked
  const known = new Map(
    [...(before?.variables ?? []), ...(before?.keys16 ?? [])].flatMap(({ value, isSecret }) => {
      const clear = isSecret ? box.open(value, accountId) : undefined
      return clear === undefined ? [] : [[clear, value]]
    }),
  )
  // CONFIG-A10: the same secret keeps its sealed text, so that it is no other value.
  const kept = <Named extends { readonly value: string }>(named: Named, secretName: string) =>
    namesSecret(secretName)
      ? { ...named, value: known.get(named.value) ?? box.seal(named.value, accountId), isSecret: true as const }
      : named
  const at = now()
  const after: Configuration = {
    accountId,
    name,
    selector,
    priority,
    variables: variables.map((each) => kept(each, each.variable.name)),
    keys16: keys16.map((each) => kept(each, each.key)),
    rebootPolicy,
    ...(window && { rebootWindow: window }),
    revision: (before?.revision ?? 0) + 1,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
  }
  return before && wish(before) === wish(after) ? before : after
}

function wish({ selector, priority, variables, keys16, rebootPolicy, rebootWindow }: Configuration): string {
  return JSON.stringify([selector, priority, variables, keys16, rebootPolicy, rebootWindow])
}

function represented(configuration: Configuration): object {
  const { name, selector, priority, variables, keys16, rebootPolicy, rebootWindow, revision } = configuration
  return {
    name,
    selector,
    priority,
    ...(variables.length > 0 && { variables: variables.map(shown) }),
    ...(keys16.length > 0 && { keys16: keys16.map(shown) }),
    rebootPolicy,
    ...(rebootWindow && { window: rebootWindow }),
    revision,
    createdAt: new Date(configuration.createdAt).toISOString(),
    updatedAt: new Date(configuration.updatedAt).toISOString(),
  }
}

function shown<Named extends { readonly value: string; readonly isSecret?: true | undefined }>({
  isSecret,
  ...named
}: Named): object {
  return isSecret ? { ...named, value: MASKED } : named
}
