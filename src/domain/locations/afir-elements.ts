/** What AFIR asks for and a location does not say (LOCATION-A4), by our member and by the element of the law. */
import type { TariffsAt } from '../tariffs/places.ts'
import type { Location } from './records.ts'

export interface MissingElement {
  /** Of the location, or of `evses[]`, or of its `connectors[]`. */
  readonly member: string
  /** Of Regulation (EU) 2023/1804, article 20(2), unless another text is named. */
  readonly element: string
  readonly evseUid?: string | undefined
  readonly connectorId?: string | undefined
}

const ELEMENTS: Readonly<Record<string, string>> = {
  postalCode: '(a)(i) geographic location',
  evses: '(a)(ii) number of connectors',
  parkingPlaces: '(a)(iii) number of parking spaces for people with disabilities',
  operator: '(a)(iv) contact of the operator',
  owner: '(a)(iv) contact of the owner',
  helpPhone: '(a)(iv) contact: help desk',
  openingTimes: '(a)(v) opening hours',
  energyMix: '(c)(iv) electricity 100 % renewable (yes/no)',
  facilities: 'Implementing Regulation (EU) 2025/655: catering, bathroom and resting facilities',
  'evses[].evseId': '(b)(i) identification code',
  'evses[].parking': '(b)(vi) compatibility with vehicle types',
  'evses[].evseControllerId': '(c)(i), (c)(ii) operational status and availability',
  'evses[].connectors[].maxElectricPower': '(b)(v) maximum power output of the recharging point',
  'evses[].connectors[].tariffIds': '(c)(iii) ad hoc price',
}

/** Lists without anything may be said of facilities alone: there are none. */
function isSaid(value: unknown, name: string): boolean {
  return value !== undefined && (name === 'facilities' || !Array.isArray(value) || value.length > 0)
}

/** @param pricing a tariff of the charge point or of the account is a price as well */
export function missingForAfir(
  { facts, evses: all }: Location,
  pricing: TariffsAt<unknown>,
): readonly MissingElement[] {
  const evses = all.filter(({ isRemoved }) => !isRemoved)
  const missing = (of: object, level: string, place: Pick<MissingElement, 'evseUid' | 'connectorId'> = {}) =>
    Object.entries(ELEMENTS).flatMap(([member, element]) => {
      const name = member.slice(level.length)
      const isAsked = member.startsWith(level) && !name.includes('[]')
      return !isAsked || isSaid(of[name as keyof typeof of], name) ? [] : [{ member, element, ...place }]
    })
  return [
    ...missing({ ...facts, evses }, ''),
    ...evses.flatMap((evse) => [
      ...missing({ ...evse, evseControllerId: evse.chargePointId }, 'evses[].', { evseUid: evse.uid }),
      ...evse.connectors.flatMap((connector) => {
        const place = { evseUid: evse.uid, connectorId: connector.connectorId }
        return missing({ ...connector, tariffIds: pricing(evse, connector) }, 'evses[].connectors[].', place)
      }),
    ]),
  ]
}
