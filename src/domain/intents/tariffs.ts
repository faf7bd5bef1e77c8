/** Tariffs that a station keeps and reckons with: one intent for each content (OCPP21-C4). Pure. */

import type { MessageLimits } from '../device-model/records.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { FrozenTariff } from '../ports/sessions.ts'
import { withoutTax } from '../tax.ts'
import type { DesiredTariff, DriverTariff, Intent, IntentAnswer, Want } from './records.ts'
import { answered, isSame, requested } from './states.ts'

export interface DesiredTariffs {
  readonly wants: readonly Want[]
  readonly withdrawn: readonly Intent[]
}

const MICROS = 1_000_000

/** What a station that keeps tariffs is to have instead of what was desired. Undefined: nothing changes. */
export function desiredTariffs(
  tariff: FrozenTariff | undefined,
  limits: MessageLimits | undefined,
  intents: readonly Intent[],
): DesiredTariffs | undefined {
  const want = wantOf(tariff, limits)
  const known = intents.filter(({ kind }) => kind === 'tariff')
  const isKnown = known.some(({ key, desired }) => key === want?.key && isSame(desired, want.desired))
  const withdrawn = known.filter((intent) => intent.key !== want?.key && desiredTariffOf(intent).clear !== true)
  const wants = want && !isKnown ? [want] : []
  return wants.length + withdrawn.length === 0 ? undefined : { wants, withdrawn }
}

/** I07: a content has its own id, as a station refuses another content under an id that it knows. */
function wantOf(tariff: FrozenTariff | undefined, limits: MessageLimits = {}): Want | undefined {
  const { tariffAvailable, tariffEnabled, tariffConditions, tariffElements = 2, tariffCurrency } = limits
  // Elements have conditions of place and power that we do not translate: the station keeps no tariff then.
  if (!tariff || tariff.elements || tariffAvailable !== 1 || tariffEnabled !== 1) return undefined
  const { tariffId, version, currency, perMinuteMicros, idlePerMinuteMicros, taxPercent } = tariff
  const elements = perMinuteMicros > 0 ? 2 : 1
  const isIdleAfterCharging = idlePerMinuteMicros > 0 && tariffConditions === 1 && tariffElements >= elements
  const isForeign = tariffCurrency !== undefined && tariffCurrency !== currency
  const net = (micros: number): number => Math.round(withoutTax(micros, tariff)) / MICROS
  const desired: DesiredTariff = {
    currency,
    perKwh: net(tariff.perKwhMicros),
    perMinute: net(perMinuteMicros),
    perSession: net(tariff.perSessionMicros),
    idlePerMinute: net(idlePerMinuteMicros),
    taxPercent,
    isIdleAfterCharging,
    ...(isForeign && { stationCurrency: tariffCurrency }),
  }
  return { kind: 'tariff', key: `${tariffId}-${version}${isIdleAfterCharging ? '-idle' : ''}`, desired }
}

export function desiredTariffOf({ desired }: Pick<Intent, 'desired'>): DesiredTariff {
  return desired as DesiredTariff
}

/** OCPP21-C9 @param refused what `refusedTariff` made of those that the station could not read */
export function driverTariff(
  tariff: FrozenTariff,
  limits: MessageLimits | undefined,
  firmware: string | undefined,
  refused: ReadonlySet<string> | undefined,
): DriverTariff | undefined {
  const want = wantOf(tariff, limits)
  if (!want || refused?.has(refusedTariff(want.key, firmware))) return undefined
  const desired = want.desired as DesiredTariff
  return tariffObjection(desired) === undefined ? { id: want.key, desired } : undefined
}

export function refusedTariff(id: string, firmware = ''): string {
  return `${id} ${firmware}`
}

/** Why it is not sent. */
export function tariffObjection({ clear, currency, stationCurrency }: DesiredTariff): string | undefined {
  if (clear || stationCurrency === undefined) return undefined
  return `the charge point calculates in ${stationCurrency}, and the tariff is in ${currency}`
}

/** Undefined: the station does not have it, so the intent is forgotten. */
export function clearing({ state: { chargePointId, accountId }, now }: BlockDraft, intent: Intent): Intent | undefined {
  const { kind, key, state, appliedRevision, attempts } = intent
  const tariff = desiredTariffOf(intent)
  if (tariff.clear) return intent
  const mayBeThere = appliedRevision !== undefined || state === 'sent' || (state === 'pending' && attempts > 0)
  if (state === 'unsupported' || !mayBeThere) return undefined
  return requested(intent, { kind, key, desired: { ...tariff, clear: true } }, { chargePointId, accountId }, now)
}

/** @returns undefined where it was cleared */
export function tariffAnswered(
  draft: BlockDraft,
  intent: Intent,
  revision: number,
  answer: IntentAnswer,
): Intent | undefined {
  const { clear } = desiredTariffOf(intent)
  if (clear && revision === intent.revision && answer.outcome !== 'rejected') return undefined
  // Set before, though its answer may have been lost: what the station has, it is asked next.
  const isOurs = answer.isDuplicate && (intent.attempts > 1 || intent.appliedRevision !== undefined)
  const outcome: IntentAnswer = isOurs ? { outcome: 'accepted' } : answer
  return answered(intent, revision, outcome, draft.state.status.firmwareVersion, draft.now)
}
