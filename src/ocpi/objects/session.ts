/** A session of a partner's token as OCPI has it (OCPI-A2). */
import { DIFFERENCES, nearest, type Party, spelled } from '../../domain/partners/ocpi-versions.ts'
import type { CdrFacts, CdrPeriod, OcpiVersion, PartnerOfSession } from '../../domain/partners/records.ts'
import type { SessionState } from '../../domain/ports/sessions.ts'
import { units } from './tariff.ts'

export interface SessionFacts extends Pick<CdrFacts, 'token' | 'currency' | 'energyMilliWh' | 'periods'> {
  readonly sessionId: string
  readonly state: SessionState
  /** When it was made, while it has not begun. */
  readonly startedAt: number
  readonly stoppedAt?: number | undefined
  readonly costMicros?: number | undefined
  readonly costInclVatMicros?: number | undefined
  readonly place: Pick<CdrFacts['place'], 'locationId' | 'evseUid' | 'connectorId'>
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

export function sessionIn(version: OcpiVersion, session: SessionFacts, { countryCode, partyId }: Party) {
  const { token, place, costMicros, costInclVatMicros } = session
  return spelled(version, {
    countryCode,
    partyId,
    id: session.sessionId,
    startDateTime: session.startedAt,
    endDateTime: session.stoppedAt,
    kwh: session.energyMilliWh / 1e6,
    cdrToken: cdrToken(version, token),
    authMethod: token.authMethod,
    authorizationReference: token.authorizationReference,
    locationId: place.locationId,
    evseUid: place.evseUid,
    connectorId: place.connectorId,
    currency: session.currency,
    chargingPeriods: chargingPeriods(session.periods),
    totalCost: costMicros === undefined ? undefined : money(version, costMicros, costInclVatMicros),
    status: STATUS[session.state],
    lastUpdated: session.lastUpdated,
  })
}

export function cdrToken(version: OcpiVersion, token: PartnerOfSession) {
  const { countryCode, partyId, uid, type, contractId } = token
  return { countryCode, partyId, uid, type: nearest(version, 'TokenType', type), contractId }
}

/** FLAT is a price and no dimension of a period; a period needs one. */
export function chargingPeriods(periods: readonly CdrPeriod[]) {
  return periods.map(({ startAt, dimensions, tariffId }) => {
    const measured = dimensions.filter(({ type }) => type !== 'FLAT')
    return {
      startDateTime: startAt,
      dimensions: measured.length > 0 ? measured : [{ type: 'TIME', volume: 0 }],
      tariffId,
    }
  })
}

export function money(version: OcpiVersion, netMicros: number, grossMicros: number | undefined): object {
  const gross = grossMicros === undefined ? undefined : units(grossMicros)
  return DIFFERENCES[version].amount({ net: units(netMicros), gross })
}
