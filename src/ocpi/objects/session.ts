/** A session of a partner's token as OCPI has it (OCPI-A2). */

import type { CdrPeriod, OcpiVersion, PartnerOfSession } from '../../domain/partners/records.ts'
import type { SessionState } from '../../domain/ports/sessions.ts'
import { amountIn, decimal, nearest, present } from '../versions.ts'
import { units } from './tariff.ts'
import { cut, filled, owner, type Party, time } from './words.ts'

export interface SessionFacts {
  readonly sessionId: string
  readonly state: SessionState
  /** When it was made, while it has not begun. */
  readonly startedAt: number
  readonly stoppedAt?: number | undefined
  readonly energyMilliWh: number
  readonly currency: string
  readonly costMicros?: number | undefined
  readonly costInclVatMicros?: number | undefined
  readonly token: PartnerOfSession
  readonly place: { readonly locationId: string; readonly evseUid: string; readonly connectorId: string }
  readonly periods: readonly CdrPeriod[]
  readonly lastUpdated: number
}

const STATUS: Readonly<Record<SessionState, string>> = {
  pending: 'PENDING',
  charging: 'ACTIVE',
  suspended: 'ACTIVE',
  finishing: 'ACTIVE',
  completed: 'COMPLETED',
  failed: 'INVALID',
}

export function sessionIn(version: OcpiVersion, session: SessionFacts, party: Party) {
  const { token, place, costMicros, costInclVatMicros } = session
  return present({
    ...owner(party),
    id: session.sessionId,
    start_date_time: time(session.startedAt),
    end_date_time: session.stoppedAt === undefined ? undefined : time(session.stoppedAt),
    kwh: kilowattHours(session.energyMilliWh),
    cdr_token: cdrToken(version, token),
    auth_method: token.authMethod,
    authorization_reference: cut(token.authorizationReference, 36),
    location_id: place.locationId,
    evse_uid: place.evseUid,
    connector_id: place.connectorId,
    currency: session.currency,
    charging_periods: filled(chargingPeriods(session.periods)),
    total_cost: costMicros === undefined ? undefined : money(version, costMicros, costInclVatMicros),
    status: STATUS[session.state],
    last_updated: time(session.lastUpdated),
  })
}

export function cdrToken(version: OcpiVersion, token: PartnerOfSession) {
  return {
    country_code: token.countryCode,
    party_id: token.partyId,
    uid: cut(token.uid, 36),
    type: nearest(version, 'TokenType', token.type),
    contract_id: cut(token.contractId, 36),
  }
}

/** FLAT is a price and no dimension of a period; a period needs one. */
export function chargingPeriods(periods: readonly CdrPeriod[]) {
  return periods.map(({ startAt, dimensions, tariffId }) => {
    const measured = dimensions.flatMap(({ type, volume }) =>
      type === 'FLAT' ? [] : [{ type, volume: decimal(volume) }],
    )
    return present({
      start_date_time: time(startAt),
      dimensions: measured.length > 0 ? measured : [{ type: 'TIME', volume: 0 }],
      tariff_id: tariffId,
    })
  })
}

export function money(version: OcpiVersion, netMicros: number, grossMicros: number | undefined): object {
  const gross = grossMicros === undefined ? undefined : units(grossMicros)
  return amountIn(version, { net: units(netMicros), gross })
}

export function kilowattHours(milliWh: number): number {
  return decimal(milliWh / 1e6)
}
