/** What is pushed to a partner, as it is now: a later push is never older than an earlier one (OCPI-A2). */
import { shownLocations } from '../../application/locations/show.ts'
import { periodsOf, totalOf } from '../../domain/partners/cdr.ts'
import { evseIn, locationIn } from '../../domain/partners/ocpi-location.ts'
import type { Cdr, OcpiParty, OcpiVersion, Partner, WholeCdr } from '../../domain/partners/records.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import { signedValuesOf } from '../../domain/signed-values/queries.ts'
import type { ReadSignedValue } from '../../domain/signed-values/view.ts'
import { tariffsAt } from '../../domain/tariffs/places.ts'
import { cdrIn } from '../objects/cdr.ts'
import { type SessionFacts, sessionIn } from '../objects/session.ts'
import { tariffIn } from '../objects/tariff.ts'
import type { Call } from '../partners/client.ts'
import { locationContext } from '../senders/locations.ts'
import type { OcpiContext } from '../wire/module.ts'

type Reads = Pick<OcpiContext, 'reads'>

/** An object of ours, by module. */
export type Named =
  | { readonly module: 'locations'; readonly locationId: string; readonly evseUid?: string | undefined }
  | { readonly module: 'sessions'; readonly sessionId: string }
  | { readonly module: 'tariffs'; readonly tariffId: string }
  | { readonly module: 'cdrs'; readonly cdrId: string }

export interface Addressee {
  readonly partner: Partner
  readonly party: OcpiParty
  readonly version: OcpiVersion
}

/** A request below the partner's endpoint of the module. */
export interface CurrentObject extends Pick<Call, 'method' | 'body'> {
  readonly path: string
  /** Whose customer it is about, which routing headers name. */
  readonly to?: { readonly countryCode: string; readonly partyId: string } | undefined
}

/** Undefined: there is nothing that this partner is shown. */
export async function currentObject(
  context: Reads,
  addressee: Addressee,
  named: Named,
): Promise<CurrentObject | undefined> {
  const { party } = addressee
  const at = (...ids: readonly string[]): string =>
    ['', party.countryCode, party.partyId, ...ids].map(encodeURIComponent).join('/')
  switch (named.module) {
    case 'locations':
      return locationNow(context, addressee, named, at)
    case 'sessions': {
      const { partner, version } = addressee
      const facts = await sessionFacts(context, partner, named.sessionId)
      if (!facts) return undefined
      return { method: 'PUT', path: at(facts.sessionId), body: sessionIn(version, facts, party), to: facts.token }
    }
    case 'tariffs': {
      const { version } = addressee
      const tariff = await context.reads.findTariff(party.accountId, named.tariffId)
      if (!tariff) return { method: 'DELETE', path: at(named.tariffId) }
      return { method: 'PUT', path: at(tariff.tariffId), body: tariffIn(version, tariff, tariff.updatedAt, party) }
    }
    case 'cdrs': {
      const { accountId } = party
      const cdr = await context.reads.getRecord('cdrs', { accountId, cdrId: named.cdrId })
      const whole = cdr?.partnerId === addressee.partner.partnerId ? await wholeCdr(context, cdr) : undefined
      if (!whole) return undefined
      return { method: 'POST', path: '', body: cdrIn(addressee.version, whole, party), to: whole.facts.token }
    }
  }
}

/** Only of EVSEs: the EVSE alone. */
async function locationNow(
  { reads }: Reads,
  { party, version }: Addressee,
  { locationId, evseUid }: Extract<Named, { module: 'locations' }>,
  at: (...ids: readonly string[]) => string,
): Promise<CurrentObject | undefined> {
  const found = await reads.getRecord('locations', { accountId: party.accountId, locationId })
  const [location] = found ? await shownLocations(reads, [found]) : []
  if (!location) return undefined
  const spelling = await locationContext(reads, party.accountId, party)
  const evse = location.evses.find(({ uid }) => uid === evseUid)
  if (!evse) return { method: 'PUT', path: at(locationId), body: locationIn(version, location, spelling) }
  const body = evseIn(version, location, evse, spelling)
  return body && { method: 'PUT', path: at(locationId, evse.uid), body }
}

/** Undefined: it is no customer's of this partner, or not anywhere yet. */
export async function sessionFacts(
  { reads }: Reads,
  { accountId, partnerId }: Pick<Partner, 'accountId' | 'partnerId'>,
  sessionId: string,
): Promise<SessionFacts | undefined> {
  const session = await reads.findSession(sessionId)
  if (!session) return undefined
  const { partner: token, place, startedAt = session.createdAt, stoppedAt } = session
  if (session.accountId !== accountId || token?.partnerId !== partnerId || !place) return undefined
  const noted = await reads.getRecord('partner_sessions', { accountId, partnerId, sessionId })
  const lastUpdated = noted?.lastUpdated ?? session.lastEventAt ?? session.createdAt
  return {
    ...session,
    sessionId,
    startedAt,
    stoppedAt,
    token,
    place,
    ...totalOf({ ...session, tariff: session.tariff ?? (await tariffAhead({ reads }, session)) }),
    periods: periodsOf(session, stoppedAt ?? lastUpdated),
    lastUpdated,
  }
}

/** What will price a charge that has not begun says its currency before. */
async function tariffAhead({ reads }: Reads, { accountId, startedAt, place }: Session) {
  const found = startedAt === undefined && place && { accountId, locationId: place.locationId }
  const location = found ? await reads.getRecord('locations', found) : undefined
  const evse = location?.evses.find(({ uid }) => uid === place?.evseUid)
  const connector = evse?.connectors.find(({ connectorId }) => connectorId === place?.connectorId)
  return evse && connector && tariffsAt(await reads.listTariffs(accountId))(evse, connector)[0]
}

/** A credit has what it takes back; values that the meter signed are as the station sent them. */
export async function wholeCdr({ reads }: Reads, cdr: Cdr): Promise<WholeCdr | undefined> {
  const { accountId, creditOf, sessionId } = cdr
  const original = creditOf === undefined ? cdr : await reads.getRecord('cdrs', { accountId, cdrId: creditOf })
  if (!original?.facts) return undefined
  const signed = await signedBefore({ reads }, sessionId, original.lastUpdated)
  return { ...cdr, facts: { ...original.facts, signed } }
}

/** More would be no CDR of any use. */
const MAX_SIGNED = 100

/** @param at what came later is not in it: a CDR never changes */
async function signedBefore({ reads }: Reads, sessionId: string, at: number): Promise<WholeCdr['facts']['signed']> {
  const session = await reads.findSession(sessionId)
  if (!session) return undefined
  const found: ReadSignedValue[] = []
  for await (const one of signedValuesOf(reads, session)) {
    if (one.value.storedAt <= at && found.length < MAX_SIGNED) found.push(one)
  }
  const [first] = found
  if (!first) return undefined
  const { publicKey, ocmf, value } = first
  const records = found.map(({ opened, value: { data } }) => opened.text ?? data)
  const encodingMethod = value.encodingMethod || (ocmf ? 'OCMF' : 'unknown')
  return { encodingMethod, records, ...(publicKey !== undefined && { publicKey }) }
}
