/** Configurations (CONFIG-A1): stored first, then made intents of every charge point that is meant. */

import { namesOfConfiguration } from '../../domain/configuration/desired-by-account.ts'
import type { Configuration, DesiredKey, DesiredName, DesiredVariable } from '../../domain/configuration/records.ts'
import { configurationFaults, type StationStatus, statusOf } from '../../domain/configuration/status.ts'
import { MASKED, namesSecret } from '../../domain/device-model/variable-names.ts'
import { grouped } from '../../domain/grouped.ts'
import type { Intent, RebootPolicy } from '../../domain/intents/records.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { LocalList } from '../../domain/local-lists/records.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import { namesOfMonitors } from '../../domain/monitors/desired-monitors.ts'
import type { MonitorSet } from '../../domain/monitors/records.ts'
import type { Log } from '../../domain/ports/core.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import type { DailyHours } from '../../domain/records/daily-hours.ts'
import type { RecordOfKind } from '../../domain/records/records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { refuse } from '../../domain/refuse.ts'
import { chargePointPages, selectable, selects } from '../../domain/selector.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { noRoomFor, type UseCaseContext, type WithSettings } from '../context.ts'

export type ConfigurationContext = FleetContext &
  Pick<UseCaseContext, 'writes' | 'random' | 'now'> &
  WithSettings<'secretKey'>

/** Values in clear. */
export interface AskedConfiguration {
  readonly selector: Selector
  readonly priority?: number | undefined
  readonly variables: readonly DesiredVariable[]
  readonly keys16?: readonly DesiredKey[] | undefined
  readonly rebootPolicy?: RebootPolicy | undefined
  readonly window?: DailyHours | undefined
  /** Of the application that orders; absent: a person does, and owns it from then on (OIDC-C13). */
  readonly grantId?: string | undefined
}

/** Refuses with 422 and its faults what no charge point can be set (CONFIG-A9), with 409 one too many (CONFIG-A13). */
export async function putConfiguration(
  place: ConfigurationContext,
  accountId: string,
  name: string,
  asked: AskedConfiguration,
): Promise<{ readonly before?: Configuration | undefined; readonly after: Configuration } | Refusal> {
  const refusal = refuseUnsettable(configurationFaults(asked))
  if (refusal) return refusal
  const before = await place.reads.getRecord('configurations', { accountId, name })
  const full = before ? undefined : await noRoomFor('configurations', place.reads, accountId)
  if (full) return full
  const after = configurationOf(place, accountId, name, asked, before)
  await keepDesired(place, 'configurations', before, after)
  return { after, before }
}

/** 422 with every fault; undefined where charge points can be set it. */
export function refuseUnsettable(faults: readonly Fault[]): Refusal | undefined {
  const [first] = faults
  if (!first) return undefined
  const detail = faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; ')
  return { ...refuse(422, first.code, `No charge point can be set this: ${detail}.`), errors: faults }
}

/** Desired of a fleet under its name, and settled on every charge point that it selects. */
export type Desired = Configuration | MonitorSet | LocalList

/** Stores a fleet's desired settings if they changed, and has them settled on every charge point. */
export async function keepDesired<Kind extends 'configurations' | 'monitor_sets'>(
  place: FleetContext & Pick<UseCaseContext, 'writes'>,
  kind: Kind,
  before: (RecordOfKind<Kind> & Desired) | undefined,
  after: RecordOfKind<Kind> & Desired,
): Promise<void> {
  const { accountId, name } = after
  if (after !== before) {
    await place.writes.putRecords(kind, [after])
    await place.core.configurationsChanged(accountId, { kind, name })
  }
  await settleAll(place, after, before)
}

export async function removeDesired(
  place: FleetContext & Pick<UseCaseContext, 'writes'>,
  kind: DesiredName['kind'],
  desired: Desired,
): Promise<void> {
  const { accountId, name } = desired
  await place.writes.removeRecords(kind, [{ accountId, name }])
  if (kind === 'local_lists') {
    for await (const entries of recordPages(place.reads, 'local_list_entries', { accountId, list: name })) {
      await place.writes.removeRecords('local_list_entries', entries)
    }
  }
  await settleDesired(place, kind, desired)
}

/** Updates every charge point that it selects or selected; those of a large fleet a little later. */
export async function settleDesired(
  place: FleetContext,
  kind: DesiredName['kind'],
  desired: Desired,
  before?: Desired,
): Promise<void> {
  await place.core.configurationsChanged(desired.accountId, { kind, name: desired.name })
  await settleAll(place, desired, before)
}

/** Of every charge point that is meant (CONFIG-A11), by id. */
export function stationsOf(
  { reads }: Pick<ConfigurationContext, 'reads'>,
  configuration: Configuration,
): Promise<readonly StationStatus[]> {
  return statusOfFleet(reads, configuration, ({ source }) => source?.configuration === configuration.name)
}

function configurationOf(
  { settings, random, now }: ConfigurationContext,
  accountId: string,
  name: string,
  asked: AskedConfiguration,
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
    rebootWindow: window,
    revision: (before?.revision ?? 0) + 1,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    grantId: asked.grantId,
  }
  if (!before || desiredText(before) !== desiredText(after)) return after
  return before.grantId === after.grantId
    ? before
    : { ...after, revision: before.revision, updatedAt: before.updatedAt }
}

function desiredText({ selector, priority, variables, keys16, rebootPolicy, rebootWindow }: Configuration): string {
  return JSON.stringify([selector, priority, variables, keys16, rebootPolicy, rebootWindow])
}

/** What a value looks like to people: a secret is hidden. */
export function shownValue({
  value,
  isSecret,
}: {
  readonly value: string
  readonly isSecret?: true | undefined
}): string {
  return isSecret ? MASKED : value
}

export function clearValue(
  { settings, random }: Pick<ConfigurationContext, 'settings' | 'random'>,
  accountId: string,
  { value, isSecret }: { readonly value: string; readonly isSecret?: true | undefined },
): string | undefined {
  return isSecret ? sealedBox(settings.secretKey, 'desiredValues', random).open(value, accountId) : value
}

/** Stations settled at once: a step awaits the commit before it, so other messages do not queue (BENCH-B13). */
const REPORTED_AT_ONCE = 20
/** The caller is answered by then; the rest of a large fleet follows. */
const TIMEOUT_MS = 5_000

export type FleetContext = Pick<UseCaseContext, 'reads' | 'core' | 'after'> & { readonly log: Pick<Log, 'error'> }

/** Of every charge point that is meant (CONFIG-A11), by id. @param isOf which intents came of it */
export async function statusOfFleet(
  reads: FleetContext['reads'],
  requested: Desired,
  isOf: (intent: Intent) => boolean,
): Promise<readonly StationStatus[]> {
  const intents = await intentsOf(reads, requested.accountId, isOf)
  const found: StationStatus[] = []
  for await (const stations of chargePointPages(reads, requested.accountId)) {
    for (const station of stations) {
      const own = intents.get(station.id)
      const status = own ? statusOf(station.id, own) : waiting(requested, station)
      if (status) found.push(status)
    }
  }
  return found
}

/** One that has never connected: which of the settings it will get depends on the version that it speaks. */
function waiting({ selector, updatedAt }: Desired, station: ChargePointView): StationStatus | undefined {
  if (station.status.protocol !== undefined || !selects(selector, selectable(station))) return undefined
  return { evseControllerId: station.id, state: 'pending', updatedAt: isoTime(updatedAt) }
}

async function intentsOf(
  reads: FleetContext['reads'],
  accountId: string,
  isOf: (intent: Intent) => boolean,
): Promise<ReadonlyMap<string, readonly Intent[]>> {
  const found: Intent[] = []
  for await (const page of recordPages(reads, 'intents', { accountId })) found.push(...page.filter(isOf))
  return grouped(found, ({ chargePointId }) => chargePointId)
}

/** A local list has no intents: it is settled with them. */
function intentNamesOf(desired: Desired): readonly string[] {
  if ('variables' in desired) return namesOfConfiguration(desired)
  return 'monitors' in desired ? namesOfMonitors(desired) : []
}

async function settleAll(place: FleetContext, desired: Desired, before = desired): Promise<void> {
  const { accountId } = desired
  const names = [...new Set([before, desired].flatMap(intentNamesOf))]
  const settle = async (): Promise<void> => {
    for await (const stations of chargePointPages(place.reads, accountId)) {
      const selected = stations.filter((station) =>
        [before, desired].some(({ selector }) => selects(selector, selectable(station))),
      )
      for (let from = 0; from < selected.length; from += REPORTED_AT_ONCE) {
        const chargePointIds = selected.slice(from, from + REPORTED_AT_ONCE).map(({ id }) => id)
        await place.core.settleConfigurations({ accountId, chargePointIds, names })
      }
    }
  }
  const settled = settle().catch((error: Error) =>
    place.log.error({ error: error.message }, 'a configuration did not reach every charge point yet'),
  )
  let cancel = (): void => undefined
  const patience = new Promise<void>((resolve) => {
    cancel = place.after(TIMEOUT_MS, resolve)
  })
  await Promise.race([settled, patience])
  cancel()
}
