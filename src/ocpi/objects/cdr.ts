/** A CDR as OCPI has it: all of it is as it was sealed (OCPI-A5). */
import type { CdrFacts, CdrPeriod, OcpiVersion, WholeCdr } from '../../domain/partners/records.ts'
import type { PriceDimension } from '../../domain/tariffs/elements.ts'
import { decimal, nearest, present } from '../versions.ts'
import { cdrToken, chargingPeriods, kilowattHours, money } from './session.ts'
import { tariffIn } from './tariff.ts'
import { cut, geoLocation, owner, type Party, time } from './words.ts'

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
  const parkedHours = total(facts.periods, 'PARKING_TIME')
  return present({
    ...owner(party),
    id: cdrId,
    start_date_time: time(startedAt),
    end_date_time: time(stoppedAt),
    session_id: sessionId,
    cdr_token: cdrToken(version, token),
    auth_method: token.authMethod,
    authorization_reference: cut(token.authorizationReference, 36),
    cdr_location: cdrLocation(version, facts.place),
    currency: facts.currency,
    tariffs: tariff && [tariffIn(version, tariff, startedAt, party)],
    charging_periods: chargingPeriods(facts.periods.length > 0 ? facts.periods : [wholePeriod(facts)]),
    signed_data: signedData(facts.signed),
    total_cost: money(
      version,
      sign * costMicros,
      costInclVatMicros === undefined ? undefined : sign * costInclVatMicros,
    ),
    total_fixed_cost: part('FLAT'),
    total_energy: kilowattHours(facts.energyMilliWh),
    total_energy_cost: part('ENERGY'),
    total_time: decimal((stoppedAt - startedAt) / HOUR_MS),
    total_time_cost: part('TIME'),
    total_parking_time: parkedHours === 0 ? undefined : decimal(parkedHours),
    total_parking_cost: part('PARKING_TIME'),
    credit: creditOf === undefined ? undefined : true,
    credit_reference_id: creditOf,
    last_updated: time(lastUpdated),
  })
}

/** Shorter than a location's: address and state were never lengthened here. */
function cdrLocation(version: OcpiVersion, place: CdrFacts['place']) {
  return present({
    id: place.locationId,
    name: cut(place.name, 255),
    address: cut(place.address, 45),
    city: cut(place.city, 45),
    postal_code: cut(place.postalCode, 10),
    state: cut(place.state, 20),
    country: place.country,
    coordinates: geoLocation(place.coordinates),
    evse_uid: place.evseUid || NOT_AVAILABLE,
    evse_id: cut(place.evseId || NOT_AVAILABLE, 48),
    connector_id: place.connectorId || NOT_AVAILABLE,
    connector_standard: nearest(version, 'ConnectorType', place.standard),
    connector_format: place.format,
    connector_power_type: place.powerType,
  })
}

/** The whole record in both members. One that fits in neither is left out: cut, its signature would be wrong. */
function signedData(signed: CdrFacts['signed']) {
  const values = (signed?.records ?? []).flatMap((record, at, { length }) => {
    const encoded = Buffer.from(record).toString('base64')
    if (encoded.length > MAX_SIGNED) return []
    const nature = at === length - 1 ? 'End' : at === 0 ? 'Start' : 'Intermediate'
    return [{ nature, plain_data: record, signed_data: encoded }]
  })
  if (!signed || values.length === 0) return undefined
  const { encodingMethod, publicKey } = signed
  return present({
    encoding_method: cut(encodingMethod, 36),
    public_key: publicKey && publicKey.length <= 512 ? publicKey : undefined,
    signed_values: values,
  })
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
