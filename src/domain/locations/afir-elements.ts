/** What AFIR asks for and a location does not say (LOCATION-A4), by our member and by the element of the law. */
import type { Location, LocationConnector, LocationEvse } from './records.ts'

export interface MissingElement {
  /** Of the location, or of `evses[]`, or of its `connectors[]`. */
  readonly member: string
  /** Of Regulation (EU) 2023/1804, article 20(2), unless another text is named. */
  readonly element: string
  readonly evseUid?: string | undefined
  readonly connectorId?: string | undefined
}

interface Required<Of> {
  readonly member: string
  readonly element: string
  readonly isThere: (of: Of) => unknown
}

const OF_LOCATION: readonly Required<Location>[] = [
  { member: 'postalCode', element: '(a)(i) geographic location', isThere: ({ facts }) => facts.postalCode },
  {
    member: 'evses',
    element: '(a)(ii) number of connectors',
    isThere: ({ evses }) => evses.some(({ isRemoved }) => !isRemoved),
  },
  {
    member: 'parkingPlaces',
    element: '(a)(iii) number of parking spaces for people with disabilities',
    isThere: ({ facts }) => facts.parkingPlaces?.length,
  },
  { member: 'operator', element: '(a)(iv) contact of the operator', isThere: ({ facts }) => facts.operator },
  { member: 'owner', element: '(a)(iv) contact of the owner', isThere: ({ facts }) => facts.owner },
  { member: 'helpPhone', element: '(a)(iv) contact: help desk', isThere: ({ facts }) => facts.helpPhone },
  { member: 'openingTimes', element: '(a)(v) opening hours', isThere: ({ facts }) => facts.openingTimes },
  {
    member: 'energyMix',
    element: '(c)(iv) electricity 100 % renewable (yes/no)',
    isThere: ({ facts }) => facts.energyMix,
  },
  {
    member: 'facilities',
    element: 'Implementing Regulation (EU) 2025/655: catering, bathroom and resting facilities',
    isThere: ({ facts }) => facts.facilities,
  },
]

const OF_EVSE: readonly Required<LocationEvse>[] = [
  { member: 'evses[].evseId', element: '(b)(i) identification code', isThere: ({ evseId }) => evseId },
  {
    member: 'evses[].parking',
    element: '(b)(vi) compatibility with vehicle types',
    isThere: ({ parking }) => parking?.length,
  },
  {
    member: 'evses[].evseControllerId',
    element: '(c)(i), (c)(ii) operational status and availability',
    isThere: ({ chargePointId }) => chargePointId,
  },
]

const OF_CONNECTOR: readonly Required<LocationConnector>[] = [
  {
    member: 'evses[].connectors[].maxElectricPower',
    element: '(b)(v) maximum power output of the recharging point',
    isThere: ({ maxElectricPower }) => maxElectricPower,
  },
  {
    member: 'evses[].connectors[].tariffIds',
    element: '(c)(iii) ad hoc price',
    isThere: ({ tariffIds }) => tariffIds?.length,
  },
]

export function missingForAfir(location: Location): readonly MissingElement[] {
  return [
    ...missing(OF_LOCATION, location, {}),
    ...location.evses
      .filter(({ isRemoved }) => !isRemoved)
      .flatMap((evse) => [
        ...missing(OF_EVSE, evse, { evseUid: evse.uid }),
        ...evse.connectors.flatMap((one) =>
          missing(OF_CONNECTOR, one, { evseUid: evse.uid, connectorId: one.connectorId }),
        ),
      ]),
  ]
}

function missing<Of>(
  required: readonly Required<Of>[],
  of: Of,
  place: Pick<MissingElement, 'evseUid' | 'connectorId'>,
): readonly MissingElement[] {
  return required.flatMap(({ member, element, isThere }) => (isThere(of) ? [] : [{ member, element, ...place }]))
}
