/** A CDR for people. */
import { isObject, type Json, objectsOf } from './wire.ts'

const UNITS: Readonly<Record<string, string>> = { ENERGY: 'kWh', TIME: 'h of charging', PARKING_TIME: 'h of parking' }

export function cdrLines(cdr: Json): readonly string[] {
  const place: Json = isObject(cdr.cdr_location) ? cdr.cdr_location : {}
  const token: Json = isObject(cdr.cdr_token) ? cdr.cdr_token : {}
  const tariffs = objectsOf(cdr.tariffs).map(({ id }) => String(id))
  const reference =
    cdr.authorization_reference === undefined ? '' : `, reference ${String(cdr.authorization_reference)}`
  return [
    `CDR ${String(cdr.id)} of ${String(cdr.country_code)}-${String(cdr.party_id)}${cdr.credit === true ? ' (credit)' : ''}`,
    `  place   ${[place.name, place.address, place.city].filter(Boolean).map(String).join(', ')}`,
    `  EVSE    ${String(place.evse_id)}, connector ${String(place.connector_id)} (${String(place.connector_standard)})`,
    `  token   ${String(token.uid)}, contract ${String(token.contract_id)}, by ${String(cdr.auth_method)}${reference}`,
    `  time    ${String(cdr.start_date_time)} to ${String(cdr.end_date_time)}`,
    ...objectsOf(cdr.charging_periods).map((period) => {
      const volumes = objectsOf(period.dimensions).map(({ type, volume }) => `${String(volume)} ${unit(type)}`)
      return `    ${String(period.start_date_time)}  ${volumes.join(', ')}`
    }),
    `  energy  ${String(cdr.total_energy)} kWh in ${String(cdr.total_time)} h`,
    `  tariff  ${tariffs.join(', ') || 'none'}`,
    `  total   ${money(cdr.total_cost, cdr.currency)}`,
    ...(isObject(cdr.signed_data) ? [`  signed  ${objectsOf(cdr.signed_data.signed_values).length} records`] : []),
  ]
}

function unit(type: unknown): string {
  return UNITS[String(type)] ?? String(type)
}

/** A price of 2.2.1 (`excl_vat`, `incl_vat`) or of 2.3.0 (`before_taxes`, `taxes`). */
export function money(price: unknown, currency: unknown): string {
  if (!isObject(price)) return 'no price'
  const net = price.excl_vat ?? price.before_taxes
  const taxes = objectsOf(price.taxes).reduce((sum, { amount }) => sum + Number(amount), 0)
  const gross = price.incl_vat ?? (taxes > 0 ? Number((Number(net) + taxes).toFixed(4)) : undefined)
  return `${String(net)} ${String(currency)}${gross === undefined ? '' : ` (${String(gross)} with tax)`}`
}
