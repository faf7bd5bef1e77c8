import { allowedAmps, evseOf } from '../../../domain/charging/charges.ts'
import { drawOf } from '../../../domain/charging/draw.ts'
import { heldProfiles } from '../../../domain/charging/plan.ts'
import { byOurClock, isAbove } from '../../../domain/charging/profile.ts'
import { type ChargingAbilities, type ChargingAnswer, withRefusals } from '../../../domain/charging/records.ts'
import { fewestPhases, newestAcceptance } from '../../../domain/charging/rows.ts'
import { isNewlyShown, phasesOfDraw, shownDraw, wattShareOf } from '../../../domain/charging/watts.ts'
import { modelNameOf, type ReportedValue } from '../../../domain/device-model/records.ts'
import type { Sample } from '../../../domain/ports/sessions.ts'
import type { Input } from '../../../domain/sessions/decision.ts'
import { mask } from '../../../ocpp/mask.ts'
import { object, text } from '../../../ocpp/translate/payload.ts'
import type { CallFor, CoreContext, PurposeOf, PurposeRule } from '../../context.ts'
import type { Station } from '../../memory/station.ts'
import { type CallOutcome, failureOf, isUnsent, isUnsupported } from '../../outbound/call-outcome.ts'
import { decideSoon } from '../decide-now.ts'
import { viewOf } from './charging.ts'

type ChargingPurpose = PurposeOf<'charging'>

export const CHARGING_PURPOSE: PurposeRule<ChargingPurpose> = {
  input: chargingInput,
  settled: (context, of, outcome) => void rememberForms(context, of, outcome),
}

function chargingInput({ call, version, station, purpose }: CallFor<ChargingPurpose>, outcome: CallOutcome): Input {
  const { step } = purpose.call
  const answer = answerOf(outcome, step)
  const payload = outcome.status === 'success' ? object(outcome.payload) : {}
  const reported =
    step === 'prove' ? byOurClock(version.charging.readComposite(payload), station.clock.skewMs) : undefined
  const isForced = purpose.call.step === 'abilities' && purpose.call.isForced
  const values = version.deviceModel.readValues(call, payload)
  const said = step === 'abilities' ? abilitiesOf(values) : undefined
  const hasDynamic = version.charging.update !== undefined
  const asked = said && { ...said, ...(hasDynamic && { dynamic: said.dynamic ?? false }) }
  const abilities = asked && isForced ? { ...asked, smartCharging: true } : asked
  return {
    kind: 'chargingAnswered',
    call: purpose.call,
    answer,
    reported,
    abilities,
    value: purpose.call.step === 'keyRead' ? keyValueOf(purpose.call.key, values, outcome) : undefined,
  }
}

/** Secrets are not kept. */
function keyValueOf(key: string, values: readonly ReportedValue[], outcome: CallOutcome): string | undefined {
  if (outcome.status !== 'success' || mask(outcome.payloadText, outcome.payload) !== outcome.payloadText)
    return undefined
  const isNamed = (name: string): boolean => name.toLowerCase() === key.toLowerCase()
  return values.find(({ component, variable }) => [variable.name, `${component.name}.${variable.name}`].some(isNamed))
    ?.value
}

function answerOf(outcome: CallOutcome, step: ChargingPurpose['call']['step']): ChargingAnswer {
  if (outcome.status === 'error') {
    return refused(failureOf(outcome), isUnsupported(outcome) && (step === 'set' || step === 'read'))
  }
  if (outcome.status !== 'success')
    return { outcome: 'failed', reason: failureOf(outcome), isUnsent: isUnsent(outcome) }
  const payload = object(outcome.payload)
  if (step === 'abilities' || step === 'keyRead') return { outcome: 'accepted' }
  const said = text(payload.status) ?? text(object(first(payload.setVariableResult)).attributeStatus)
  const status = said?.toLowerCase()
  if (status === 'accepted' || status === 'rebootrequired') return { outcome: 'accepted' }
  const { reasonCode, additionalInfo } = object(payload.statusInfo)
  const isTooOften = text(reasonCode)?.toLowerCase() === 'ratelimitexceeded'
  const words = [said ?? 'no status', text(reasonCode), text(additionalInfo)].filter((word) => word !== undefined)
  if (isTooOften) {
    return { outcome: 'failed', reason: shortened(words.join(' ')), isUnsent: false, waitMs: waitIn(additionalInfo) }
  }
  return refused(words.join(' '), status === 'notsupported' && step === 'set')
}

/** K01.FR.57 to .59: `<n> seconds` until the station takes another profile. Undefined: it does not say. */
function waitIn(additionalInfo: unknown): number | undefined {
  const seconds = Number(/(\d{1,9})\s*s(?:ec|\b)/i.exec(text(additionalInfo) ?? '')?.[1] ?? Number.NaN)
  return Number.isNaN(seconds) ? undefined : Math.min(seconds, MAX_WAIT_SECONDS) * 1000
}

/** A limit is not put off for longer. */
const MAX_WAIT_SECONDS = 3600

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)

function refused(reason: string, isUnsupported: boolean): ChargingAnswer {
  return { outcome: 'refused', reason: shortened(reason), isUnsupported }
}

const shortened = (reason: string): string => reason.slice(0, 300)

function abilitiesOf(values: readonly ReportedValue[]): ChargingAbilities {
  const reported = new Map(values.map(({ variable, value }) => [variable.name.toLowerCase(), value]))
  const number = (...names: readonly string[]): number | undefined => {
    const value = Number(names.map((name) => reported.get(name)).find((one) => one !== undefined && one !== ''))
    return Number.isSafeInteger(value) && value >= 0 ? value : undefined
  }
  const allowed = (reported.get('chargingscheduleallowedchargingrateunit') ?? reported.get('rateunit'))?.toLowerCase()
  const names = allowed?.split(',').map((name) => name.trim()) ?? []
  const units = [
    ...(names.some((name) => name === 'current' || name === 'a') ? (['A'] as const) : []),
    ...(names.some((name) => name === 'power' || name === 'w') ? (['W'] as const) : []),
  ]
  const maxPeriods = number('chargingschedulemaxperiods', 'periodsperschedule')
  const maxStackLevel = number('chargeprofilemaxstacklevel', 'profilestacklevel')
  const maxExternalId = number('maxexternalconstraintsid')
  const purposes = reported.get('supportedadditionalpurposes')?.split(',')
  const features = reported.get('supportedfeatureprofiles')?.toLowerCase()
  const hasNone =
    (features !== undefined && !features.includes('smartcharging')) || reported.get('available') === 'false'
  return {
    ...(units.length > 0 && { units }),
    ...(maxPeriods !== undefined && maxPeriods > 0 && { maxPeriods }),
    maxStackLevel,
    ...(hasNone && { smartCharging: false }),
    ...(reported.get('supportsdynamicprofiles')?.toLowerCase() === 'true' && { dynamic: true }),
    ...(maxExternalId !== undefined && { maxExternalId }),
    ...(purposes && { purposes: purposes.map((one) => one.trim()) }),
  }
}

/** CHARGING-S5: a rejected value that was accepted in another form shows what the model can do, once confirmed. */
async function rememberForms(
  { store, writes, clock, log }: CoreContext,
  { station, purpose: { call } }: CallFor<ChargingPurpose>,
  outcome: CallOutcome,
): Promise<void> {
  if (call.step !== 'set' || !call.refused || answerOf(outcome, 'set').outcome !== 'accepted') return
  if (call.form.startsWith('TxProfile') && !isSurelyCharging(station, call.evseId)) return
  const key = { accountId: station.chargePoint.accountId, ...modelNameOf(station.state?.status ?? {}) }
  try {
    const [known] = await store.listRecords('charging_forms', { where: key, limit: 1 })
    const now = clock.now()
    const refused = withRefusals(known?.refused ?? {}, call.refused, station.id, now)
    await writes.putRecords('charging_forms', [{ ...key, refused, updatedAt: now }])
  } catch (error) {
    const fields = { chargePoint: station.id, error: (error as Error).message }
    log.warn(fields, 'refused forms of limits could not be stored')
  }
}

/** A profile for an ended transaction, as after a reboot, is refused in any form. */
function isSurelyCharging({ state }: Station, evseId: number): boolean {
  const transactions = [...(state?.transactions.values() ?? [])]
  return transactions.some((one) => one.open && evseOf(one) === evseId && !one.flags.includes('suspect'))
}

/** Time for a car to follow. */
const REACTION_MS = 5_000
const NOISE_MS = 10_000
const OLD_MS = 3 * 60_000

export function watchDraw(context: CoreContext, station: Station, input: Input): void {
  const { state } = station
  if (!state || (input.kind !== 'sampled' && input.kind !== 'transactionEvent')) return
  if (input.samples.length === 0) return
  const transaction = input.transactionId === undefined ? undefined : state.transactions.get(input.transactionId)
  const evseId = evseOf(input) ?? (transaction && evseOf(transaction))
  if (evseId === undefined || evseId === 0) return
  const now = context.clock.now()
  const view = viewOf(station, context.settings, now)
  const { connectors, profiles, charges, voltage } = view
  const watts = wattShareOf(view, evseId)
  const isDirect = shownDraw(view, evseId)?.isDirect
  const ofNow = input.samples.filter((sample) => isOfNow(sample, station, now))
  const supply = { voltage, phases: fewestPhases(connectors, evseId), watts, isDirect }
  const draw = drawOf(ofNow, supply, station.draws.of(evseId), now)
  if (!draw) return
  station.draws.put(evseId, draw)
  const charge = charges.find((one) => one.evseId === evseId)
  if (charge && draw.phases !== undefined && isNewlyShown(view, evseId, draw, now)) {
    decideSoon(context, station.id, { kind: 'phasesSeen', evseId, phases: draw.phases, isDirect: draw.isDirect })
  }
  const phases = phasesOfDraw(view, evseId, draw)
  const allowed = allowedAmps({ profiles: heldProfiles(profiles), evseId, charge, now, voltage, phases })
  const isLate = now >= newestAcceptance(profiles, evseId, now) + REACTION_MS
  if (allowed !== undefined && draw.amps !== undefined && isAbove(draw.amps, allowed) && isLate) {
    decideSoon(context, station.id, { kind: 'currentSeen', evseId, draw })
  }
}

/** Offline or delayed measurements say nothing about the current draw. */
function isOfNow(
  { at: { occurredAt, original, repaired } }: Sample,
  { clock, openedAt }: Station,
  now: number,
): boolean {
  // Our clock may have been set back since.
  const since = Math.max(Math.min(openedAt, now), now - OLD_MS)
  return original === undefined || repaired === true || occurredAt - clock.skewMs >= since - NOISE_MS
}
