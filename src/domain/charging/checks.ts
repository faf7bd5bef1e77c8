/** What is wrong with an order about charging profiles before it is sent: OCPP's clause and the place (CHARGING-P2). */
import { isMissing, missingText } from './demands.ts'
import {
  type ChargingOrder,
  type ChargingProfile,
  overlapInTime,
  type PlacedProfile,
  type ProfileSchedule,
  type Purpose,
} from './profile.ts'
import type { ChargingAbilities } from './records.ts'

export interface ChargingFault {
  readonly clause: string
  readonly pointer: string
  readonly message: string
}

export interface ChargingSurroundings {
  readonly profiles: readonly PlacedProfile[]
  readonly transactions: readonly { readonly transactionId: string; readonly evseId?: number | undefined }[]
  readonly evses?: ReadonlySet<number> | undefined
  /** The car reported its needs, so that several schedules are offered to it. */
  readonly hasNeeds: (evseId: number) => boolean
  /** OCPP 2.0.1 says it, 1.6 leaves it open. */
  readonly isStrict: boolean
  /** Absent: it was not asked yet. */
  readonly abilities?: ChargingAbilities | undefined
}

export function chargingFaults(order: ChargingOrder, around: ChargingSurroundings): readonly ChargingFault[] {
  switch (order.kind) {
    case 'set':
      return [
        ...ofPlace(order, around),
        ...ofProfile(order.profile, around, order.evseId),
        ...ofNeighbors(order, around.profiles),
        ...abilityFaults(order.profile, around.abilities),
      ]
    case 'start':
      return [
        ...ofStart(order.profile),
        ...ofProfile(order.profile, around),
        ...abilityFaults(order.profile, around.abilities),
      ]
    case 'update':
      return []
    case 'clear':
      return [...ofClear(order)]
    case 'list':
      return ofList(order.selects)
  }
}

const PROFILE = '/chargingProfile'
/** Of bounds that the schemas of both versions leave out, saying `number` (CHARGING-P2). */
const TYPES = '2.0.1 K01'
const AT_LEAST_0 = 'must be at least 0'
const fault = (clause: string, pointer: string, message: string): ChargingFault => ({ clause, pointer, message })

type SetOrder = Extract<ChargingOrder, { readonly kind: 'set' }>

function* ofPlace(
  { evseId, profile: { purpose, transactionId } }: SetOrder,
  { transactions, evses, isStrict }: ChargingSurroundings,
): Generator<ChargingFault> {
  if (evses && isMissing(evses, evseId)) yield fault('K01.FR.28', '/evseId', missingText(evses, evseId))
  if (purpose === 'ChargingStationMaxProfile' && evseId !== 0) {
    yield fault('1.6 §3.13.1, 2.0.1 K01', '/evseId', 'is of the whole station, so it must be 0')
  }
  if (purpose !== 'TxProfile') return
  if (evseId === 0) {
    yield fault('K01.FR.16', '/evseId', 'must be above 0 for a TxProfile')
  } else if (transactionId === undefined && isStrict) {
    yield fault('K01.FR.03', `${PROFILE}/transactionId`, 'must name the transaction of a TxProfile')
  } else {
    const running = transactions.filter((one) => (one.evseId ?? evseId) === evseId)
    const isThere =
      transactionId === undefined ? running.length > 0 : running.some((one) => one.transactionId === transactionId)
    if (!isThere) {
      const which = transactionId === undefined ? 'no transaction' : `no transaction ${transactionId.slice(0, 50)}`
      yield fault('K01.FR.09', `${PROFILE}/transactionId`, `is for a running transaction: ${which} runs there`)
    }
  }
}

function* ofProfile(
  profile: ChargingProfile,
  { hasNeeds, isStrict }: ChargingSurroundings,
  evseId?: number,
): Generator<ChargingFault> {
  const { purpose, kind, transactionId, schedules, stackLevel } = profile
  if (stackLevel < 0) yield fault(TYPES, `${PROFILE}/stackLevel`, AT_LEAST_0)
  if (purpose === 'ChargingStationExternalConstraints') {
    yield fault('K01.FR.22', `${PROFILE}/chargingProfilePurpose`, 'comes from others than us and is never sent')
  }
  if (purpose === 'ChargingStationMaxProfile' && kind === 'Relative') {
    yield fault('K01.FR.38', `${PROFILE}/chargingProfileKind`, 'a limit of the station cannot be Relative')
  }
  if (purpose !== 'TxProfile' && transactionId !== undefined) {
    yield fault('K01.FR.03', `${PROFILE}/transactionId`, 'is for a TxProfile only')
  }
  if (kind === 'Recurring' && profile.recurrency === undefined) {
    yield fault('K01.FR.40', `${PROFILE}/recurrencyKind`, 'must say Daily or Weekly')
  }
  const { validFrom, validTo } = profile
  if (validFrom !== undefined && validTo !== undefined && validTo <= validFrom) {
    yield fault('2.0.1 K01', `${PROFILE}/validTo`, 'must be later than validFrom: it never holds')
  }
  if (schedules.length > 1 && (purpose !== 'TxProfile' || evseId === undefined || !hasNeeds(evseId))) {
    yield fault('K01.FR.34', `${PROFILE}/chargingSchedule/1`, 'is one too many: the car reported no charging needs')
  }
  if (kind === 'Dynamic' && (schedules.length > 1 || schedules.some(({ periods }) => periods.length > 1))) {
    yield fault('2.1 K28.FR.01', `${PROFILE}/chargingSchedule`, 'of a Dynamic profile is one with one period')
  }
  for (const [at, schedule] of schedules.entries()) {
    if (purpose === 'PriorityCharging' && schedule.durationSeconds !== undefined) {
      const pointer = `${PROFILE}/chargingSchedule/${at}/duration`
      yield fault('2.1 K01.FR.72', pointer, 'must be left out of a profile for priority charging')
    }
    yield* ofSchedule(schedule, `${PROFILE}/chargingSchedule/${at}`, kind, isStrict)
  }
}

function* ofSchedule(
  { startAt, durationSeconds = 1, minRate, periods }: ProfileSchedule,
  pointer: string,
  kind: ChargingProfile['kind'],
  isStrict: boolean,
): Generator<ChargingFault> {
  if (kind === 'Relative' && startAt !== undefined) {
    yield fault('K01.FR.41', `${pointer}/startSchedule`, 'must be left out of a Relative profile')
  }
  if (startAt === undefined && (kind === 'Recurring' || (kind === 'Absolute' && isStrict))) {
    yield fault('K01.FR.40', `${pointer}/startSchedule`, `must be given in a profile that is ${kind}`)
  }
  if (durationSeconds <= 0) yield fault(TYPES, `${pointer}/duration`, 'must be above 0: it never holds')
  if (periods.length === 0)
    yield fault('K01.FR.31', `${pointer}/chargingSchedulePeriod`, 'must have one that begins at 0')
  if (minRate !== undefined) yield* ofRate(minRate, `${pointer}/minChargingRate`)
  let before = -1
  for (const [at, { startSeconds, limit, phases, phaseToUse }] of periods.entries()) {
    const place = `${pointer}/chargingSchedulePeriod/${at}`
    if (limit !== undefined) yield* ofRate(limit, `${place}/limit`)
    if (at === 0 && startSeconds !== 0) yield fault('K01.FR.31', `${place}/startPeriod`, 'of the first must be 0')
    else if (startSeconds <= before)
      yield fault('K01.FR.35', `${place}/startPeriod`, 'must be later than the one before')
    before = startSeconds
    if (phases !== undefined && (phases < 1 || phases > 3)) {
      yield fault(TYPES, `${place}/numberPhases`, 'must be 1, 2 or 3')
    }
    if (phaseToUse !== undefined && (phases !== 1 || !isStrict)) {
      const message = isStrict ? 'is for numberPhases 1 only' : 'is not known to OCPP 1.6'
      yield fault('K01.FR.19', `${place}/phaseToUse`, message)
    }
  }
}

/** SmartChargingCtrlr.SupportedAdditionalPurposes lists them. */
const ADDITIONAL: readonly Purpose[] = ['PriorityCharging', 'LocalGeneration']

export function* abilityFaults(
  { id, purpose, kind, stackLevel, schedules }: ChargingProfile,
  abilities: ChargingAbilities | undefined,
): Generator<ChargingFault> {
  if (!abilities) return
  const { smartCharging, units, maxPeriods, maxStackLevel, maxExternalId, purposes } = abilities
  if (smartCharging === false) {
    yield fault('K01.FR.29', PROFILE, 'needs smart charging, which the charge point does not have')
    return
  }
  if (maxStackLevel !== undefined && stackLevel > maxStackLevel) {
    yield fault(TYPES, `${PROFILE}/stackLevel`, `must be at most ${maxStackLevel}, as the charge point says`)
  }
  if (maxExternalId !== undefined && id <= maxExternalId) {
    yield fault('2.1 K01.FR.81', `${PROFILE}/id`, `must be above ${maxExternalId}, as the charge point says`)
  }
  if (kind === 'Dynamic' && abilities.dynamic !== true) {
    yield fault('2.1 K01.FR.121', `${PROFILE}/chargingProfileKind`, 'Dynamic is not supported by the charge point')
  }
  if (ADDITIONAL.includes(purpose) && !purposes?.includes(purpose)) {
    yield fault('2.1 K01', `${PROFILE}/chargingProfilePurpose`, `${purpose} is not supported by the charge point`)
  }
  for (const [at, { unit, periods }] of schedules.entries()) {
    const pointer = `${PROFILE}/chargingSchedule/${at}`
    if (units && !units.includes(unit)) {
      yield fault('K01.FR.26', `${pointer}/chargingRateUnit`, `must be ${units.join()}, as the charge point says`)
    }
    if (maxPeriods !== undefined && periods.length > maxPeriods) {
      const message = `must have at most ${maxPeriods}, as the charge point says`
      yield fault(TYPES, `${pointer}/chargingSchedulePeriod`, message)
    }
  }
}

function* ofRate(rate: number, pointer: string): Generator<ChargingFault> {
  if (rate < 0) yield fault(TYPES, pointer, AT_LEAST_0)
  const tenths = rate * 10
  if (Math.abs(tenths - Math.round(tenths)) > 1e-6) yield fault('2.0.1 K01', pointer, 'may have one decimal')
}

/** A profile of the same id is replaced; any other one must not speak of the same time. */
function* ofNeighbors({ evseId, profile }: SetOrder, known: readonly PlacedProfile[]): Generator<ChargingFault> {
  const { id, purpose, stackLevel, transactionId } = profile
  for (const { evseId: at, profile: other } of known) {
    if (other.id === id || other.purpose !== purpose || other.stackLevel !== stackLevel) continue
    const where = `${PROFILE}/stackLevel`
    if (purpose === 'TxProfile') {
      if (transactionId !== undefined && other.transactionId === transactionId) {
        yield fault('K01.FR.39', where, `${stackLevel} of this transaction is taken by profile ${other.id}`)
        return
      }
    } else if (at === evseId && overlapInTime(profile, other)) {
      yield fault('K01.FR.06', where, `${stackLevel} is taken by profile ${other.id} at the same time`)
      return
    }
  }
}

function* ofStart({ purpose, transactionId }: ChargingProfile): Generator<ChargingFault> {
  if (purpose !== 'TxProfile') {
    yield fault('F01.FR.11', `${PROFILE}/chargingProfilePurpose`, 'of a start must be TxProfile')
  }
  if (transactionId !== undefined) {
    yield fault('F01.FR.11', `${PROFILE}/transactionId`, 'must be left out: the transaction has no number yet')
  }
}

function* ofClear(order: Extract<ChargingOrder, { readonly kind: 'clear' }>): Generator<ChargingFault> {
  const { id, purpose, evseId, stackLevel, mayBeAll } = order
  const selects = purpose !== undefined || evseId !== undefined || stackLevel !== undefined
  if (id === undefined && !selects && !mayBeAll) {
    yield fault('K10.FR.02', '/chargingProfileCriteria', 'must name a purpose, a stack level or an EVSE')
  }
  if (purpose === 'ChargingStationExternalConstraints') {
    const pointer = '/chargingProfileCriteria/chargingProfilePurpose'
    yield fault('K10.FR.06', pointer, 'comes from others than us and is never cleared')
  }
}

function ofList(selects: Extract<ChargingOrder, { readonly kind: 'list' }>['selects']): readonly ChargingFault[] {
  const pointer = `${PROFILE}/chargingProfileId`
  if (selects === 'both') return [fault('K09.FR.03', pointer, 'must stand alone')]
  return selects === 'nothing' ? [fault('K09.FR.03', PROFILE, 'must select something')] : []
}
