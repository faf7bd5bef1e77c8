/** A CDR as OCPI has it: all of it is as it was sealed (OCPI-A5). */
import { nearest, type Party, spelled } from '../../domain/partners/ocpi-versions.ts'
import type { CdrFacts, CdrPeriod, OcpiVersion, WholeCdr } from '../../domain/partners/records.ts'
import type { PriceDimension } from '../../domain/tariffs/elements.ts'
import { cdrToken, chargingPeriods, money } from './session.ts'
import { tariffIn } from './tariff.ts'

/** Both members of a signed value hold so many characters; a reservation that was not charged has no EVSE. */
const MAX_SIGNED = 5000
const NOT_AVAILABLE = '#NA'

const HOUR_MS = 3_600_000

export function cdrIn(
  version: OcpiVersion,
  { cdrId, sessionId, creditOf, facts, lastUpdated }: WholeCdr,
  party: Party,
) {
  const { startedAt, stoppedAt, token, tariff, costMicros, costInclVatMicros, parts } = facts
  // A credit takes back the total alone: energy, times and parts keep their sign.
  const sign = creditOf === undefined ? 1 : -1
  const part = (of: PriceDimension) => {
    const cost = parts?.[of]
    return cost && money(version, cost.costMicros, cost.costInclVatMicros)
  }
  const { countryCode, partyId } = party
  return spelled(version, {
    countryCode,
    partyId,
    id: cdrId,
    startDateTime: startedAt,
    endDateTime: stoppedAt,
    sessionId,
    cdrToken: cdrToken(version, token),
    authMethod: token.authMethod,
    authorizationReference: token.authorizationReference,
    cdrLocation: cdrLocation(version, facts.place),
    currency: facts.currency,
    tariffs: tariff && [tariffIn(version, tariff, startedAt, party)],
    chargingPeriods: chargingPeriods(facts.periods.length > 0 ? facts.periods : [wholePeriod(facts)]),
    signedData: signedData(facts.signed),
    totalCost: money(version, sign * costMicros, costInclVatMicros && sign * costInclVatMicros),
    totalFixedCost: part('FLAT'),
    totalEnergy: facts.energyMilliWh / 1e6,
    totalEnergyCost: part('ENERGY'),
    totalTime: (stoppedAt - startedAt) / HOUR_MS,
    totalTimeCost: part('TIME'),
    totalParkingTime: total(facts.periods, 'PARKING_TIME') || undefined,
    totalParkingCost: part('PARKING_TIME'),
    credit: creditOf === undefined ? undefined : true,
    creditReferenceId: creditOf,
    lastUpdated,
  })
}

function cdrLocation(version: OcpiVersion, { locationId, standard, format, powerType, ...place }: CdrFacts['place']) {
  return {
    ...place,
    id: locationId,
    evseUid: place.evseUid || NOT_AVAILABLE,
    evseId: place.evseId || NOT_AVAILABLE,
    connectorId: place.connectorId || NOT_AVAILABLE,
    connectorStandard: nearest(version, 'ConnectorType', standard),
    connectorFormat: format,
    connectorPowerType: powerType,
  }
}

/** The whole record in both members. One that fits in neither is left out: cut, its signature would be wrong. */
function signedData(signed: CdrFacts['signed']) {
  const values = (signed?.records ?? []).flatMap((record, at, { length }) => {
    const encoded = Buffer.from(record).toString('base64')
    if (encoded.length > MAX_SIGNED) return []
    const nature = at === length - 1 ? 'End' : at === 0 ? 'Start' : 'Intermediate'
    return [{ nature, plainData: record, signedData: encoded }]
  })
  if (!signed || values.length === 0) return undefined
  const { encodingMethod, publicKey = '' } = signed
  return {
    encodingMethod,
    publicKey: publicKey.length <= 512 ? publicKey || undefined : undefined,
    signedValues: values,
  }
}

function total(periods: readonly CdrPeriod[], type: PriceDimension): number {
  return periods
    .flatMap(({ dimensions }) => dimensions.filter((dimension) => dimension.type === type))
    .reduce((sum, { volume }) => sum + volume, 0)
}

/** Where the course is not known. */
function wholePeriod({ startedAt, stoppedAt, energyMilliWh }: CdrFacts): CdrPeriod {
  return {
    startAt: startedAt,
    dimensions: [
      { type: 'ENERGY', volume: energyMilliWh / 1e6 },
      { type: 'TIME', volume: (stoppedAt - startedAt) / HOUR_MS },
    ],
  }
}
