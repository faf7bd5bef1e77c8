/** Desired values of one charge point, set and withdrawn by hand (INTENT-A1). */

import { forbiddenReason } from '../../domain/configuration/status.ts'
import { objection } from '../../domain/device-model/objection.ts'
import type { StoredVariable } from '../../domain/device-model/records.ts'
import { isSecretVariable, nameText } from '../../domain/device-model/variable-names.ts'
import type { Intent, IntentKind, IntentName, IntentSource, Want } from '../../domain/intents/records.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse, refuseFault } from '../../domain/refuse.ts'
import { versionOf } from '../../ocpp/versions.ts'
import { sealedBox } from '../../secrets/sealed-box.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'

type IntentContext = Pick<UseCaseContext, 'reads' | 'core' | 'random'> & WithSettings<'secretKey'>

/** Above what a charge point may have (INTENT-A8). */
const MAX_READ = 5_000

export function intentsOn({ reads }: Pick<IntentContext, 'reads'>, chargePointId: string): Promise<readonly Intent[]> {
  return reads.listRecords('intents', { where: { chargePointId }, limit: MAX_READ })
}

export function intentNameOf({ status: { protocol } }: ChargePointView, { name }: StoredVariable): IntentName {
  const { setting = 'variable' } = versionOf(protocol)?.abilities ?? {}
  return { kind: setting, key: setting === 'variable' ? nameText(name) : name.variable.name }
}

export function unsettable(row: StoredVariable): string | undefined {
  if (row.gone) return 'the newest complete report no longer had it'
  const { mutability, constant } = row.characteristics
  if (mutability?.toLowerCase() === 'readonly' || constant === true) return 'the charge point says that it is read-only'
  return forbiddenReason(row.name.variable.name)
}

/** Refuses with 400 what the device model does not allow, with 409 what a configuration decides. */
export async function wantValue(
  place: IntentContext,
  view: ChargePointView,
  row: StoredVariable,
  value: string,
): Promise<{ readonly requested: true } | Refusal> {
  const wrong = unsettable(row) ?? objection(row, value)
  if (wrong !== undefined) return refuseFault('/value', 'invalid_value', `cannot be set: ${wrong}`)
  const name = intentNameOf(view, row)
  const known = await findIntent(place, view.id, name)
  if (known?.source) return refuse(409, 'set_by_configuration', requestedBy(known.source))
  const isSecret = isSecretVariable({ ...row.name, ...row.characteristics })
  const box = sealedBox(place.settings.secretKey, 'desiredValues', place.random)
  const want: Want = {
    ...name,
    desired: isSecret ? box.seal(value, view.accountId) : value,
    ...(isSecret && { isSecret }),
    ...(name.kind === 'variable' && { variable: row.name }),
  }
  return decided(place, view, { kind: 'intentsRequested', wants: [want] })
}

/** What was sent already stays as it is. Refuses with 404, or with 409 what a configuration wants. */
export async function withdrawIntent(
  place: IntentContext,
  view: ChargePointView,
  name: IntentName,
): Promise<{ readonly requested: true } | Refusal> {
  const known = await findIntent(place, view.id, name)
  if (!known) return noSuch('intent')
  if (known.source) return refuse(409, 'set_by_configuration', requestedBy(known.source))
  if (isCarriedElsewhere(known.kind)) return refuse(409, 'carried_elsewhere', WORK[known.kind])
  return decided(place, view, { kind: 'intentsWithdrawn', intents: [{ kind: known.kind, key: known.key }] })
}

async function decided(
  { core }: IntentContext,
  { accountId, id: chargePointId }: ChargePointView,
  input: Parameters<IntentContext['core']['decideBlock']>[0]['input'],
): Promise<{ readonly requested: true } | Refusal> {
  const outcome = await core.decideBlock({ accountId, chargePointId, input })
  return 'status' in outcome ? outcome : { requested: true }
}

/** Withdrawn where it comes from. */
export function isCarriedElsewhere(kind: IntentKind): kind is keyof typeof WORK {
  return kind in WORK
}

const WORK = {
  firmware: 'A firmware campaign wants this of the charge point: cancel the campaign.',
  securityProfile: 'A job raises the security profile of the charge point: it ends by itself.',
  tariff: 'The tariff of the charge point sets this: change or delete the tariff.',
} satisfies Readonly<Partial<Record<IntentKind, string>>>

/** Keys are compared without case. */
async function findIntent(place: IntentContext, chargePointId: string, { kind, key }: IntentName) {
  const all = await intentsOn(place, chargePointId)
  return all.find((intent) => intent.kind === kind && intent.key.toLowerCase() === key.toLowerCase())
}

function requestedBy({ configuration, monitors = [] }: IntentSource): string {
  const where =
    configuration === undefined ? `monitors ${monitors.join(', ')} want` : `configuration ${configuration} wants`
  return `The ${where} this of the charge point: change it there.`
}
