/** The same documents as XML (AFIR-A1): one serializer, and the order of elements with their namespaces as data. */

const NAMESPACES = {
  d2: 'd2Payload',
  con: 'messageContainer',
  ex: 'exchangeInformation',
  com: 'common',
  loc: 'locationReferencing',
  locx: 'locationExtension',
  afac: 'afirFacilities',
  aegi: 'afirEnergyInfrastructure',
}

const FACILITY_OBJECT =
  'afac: name lastUpdated additionalInformation externalIdentifier operatingHours locationReference owner operator helpdesk applicableForVehicles dimension amenities'
const FACILITY = `${FACILITY_OBJECT} supplementalFacility dedicatedParkingSpaces`
const OBJECT_STATUS = 'afac: reference lastUpdated'
const PUBLICATION = 'com: publicationTime publicationCreator'
const SUPPLEMENTAL = `${FACILITY_OBJECT} equipmentType serviceFacilityType`
const PRICE = 'additionalInformation overallPeriod timeBasedApplicability energyBasedApplicability'

/** By the name of a type, or of the element that has it. `prefix:` holds for the names behind it. */
const ORDERS: Readonly<Record<string, string>> = {
  EnergyInfrastructureTablePublication: `${PUBLICATION} aegi: headerInformation energyInfrastructureTable`,
  EnergyInfrastructureStatusPublication: `${PUBLICATION} aegi: tableReference headerInformation energyInfrastructureSiteStatus`,
  messageContainer: 'con: payload exchangeInformation',
  exchangeInformation: 'ex: exchangeContext dynamicInformation',
  exchangeContext: 'ex: codedExchangeProtocol exchangeSpecificationVersion supplierOrCisRequester',
  dynamicInformation: 'ex: exchangeStatus messageGenerationTimestamp',
  publicationCreator: 'com: country nationalIdentifier',
  headerInformation: 'com: confidentiality informationStatus',
  energyInfrastructureTable: 'aegi: energyInfrastructureSite',
  energyInfrastructureSite: `${FACILITY} aegi: typeOfSite energyInfrastructureStation`,
  energyInfrastructureStation: `${FACILITY} aegi: totalMaximumPower authenticationAndIdentificationMethods numberOfRefillPoints mobilityServiceProvider serviceType refillPoint`,
  ElectricChargingPoint: `${FACILITY} aegi: deliveryUnit reservation electricEnergy currentType usageType vehicleToGridCommunicationType numberOfConnectors availableVoltage availableChargingPower smartRechargingServices connector`,
  serviceType: 'aegi: serviceType',
  connector: 'aegi: connectorType otherConnector connectorFormat maxPowerAtSocket voltage maximumCurrent',
  electricEnergy: 'aegi: energyProductName isGreenEnergy energyRate carbonDioxideImpact nuclearWasteImpact',
  energyRate:
    'aegi: ratePolicy lastUpdated applicableCurrency maximumDeliveryFee minimumDeliveryFee payment energyPrice',
  energyPrice: `aegi: priceType value taxIncluded taxRate ${PRICE}`,
  timeBasedApplicability: 'aegi: fromMinute toMinute',
  energyBasedApplicability: 'aegi: fromKWh toKWh',
  payment: 'afac: paymentMeans',
  dedicatedParkingSpaces: `${FACILITY_OBJECT} aegi: numberOfSpaces userSpecific`,
  SupplementalEquipment: SUPPLEMENTAL,
  SupplementalServiceFacility: SUPPLEMENTAL,
  dimension: 'afac: length width',
  amenities: 'afac: illuminated roofed',
  externalIdentifier: 'afac: identifier typeOfIdentifier',
  AnOrganisation: 'afac: name legalName linkToGeneralInformation organisationUnit externalIdentifier',
  organisationUnit: 'afac: contactInformation',
  ContactInformation: 'afac: telephoneNumber',
  OpenAllHours: '',
  OperatingHoursSpecification: 'afac: overallPeriod',
  overallPeriod: 'com: overallStartTime overallEndTime validPeriod exceptionPeriod',
  validPeriod: 'com: startOfPeriod endOfPeriod recurringTimePeriodOfDay recurringDayWeekMonthPeriod',
  exceptionPeriod: 'com: startOfPeriod endOfPeriod',
  recurringTimePeriodOfDay: 'com: startTimeOfPeriod endTimeOfPeriod',
  DayWeekMonth: 'com: applicableDay',
  applicableForVehicles:
    'com: vehicleType grossWeightCharacteristic heightCharacteristic lengthCharacteristic widthCharacteristic',
  grossWeightCharacteristic: 'com: comparisonOperator grossVehicleWeight typeOfWeight',
  heightCharacteristic: 'com: comparisonOperator vehicleHeight',
  lengthCharacteristic: 'com: comparisonOperator vehicleLength',
  widthCharacteristic: 'com: comparisonOperator vehicleWidth',
  PointLocation: 'loc: coordinatesForDisplay locLocationExtensionG pointByCoordinates',
  coordinatesForDisplay: 'loc: latitude longitude',
  pointByCoordinates: 'loc: pointCoordinates',
  pointCoordinates: 'loc: latitude longitude',
  locLocationExtensionG: 'loc: FacilityLocation',
  FacilityLocation: 'locx: timeZone address nutsArea',
  address: 'locx: postcode city countryCode addressLine',
  addressLine: 'locx: type text',
  nutsArea: 'locx: nutsCodeType nutsCode',
  energyInfrastructureSiteStatus: `${OBJECT_STATUS} aegi: energyInfrastructureStationStatus`,
  energyInfrastructureStationStatus: `${OBJECT_STATUS} aegi: refillPointStatus`,
  ElectricChargingPointStatus: `${OBJECT_STATUS} aegi: status energyRateUpdate`,
  energyRateUpdate: 'aegi: lastUpdated energyRateReference energyPrice',
}

interface Child {
  readonly name: string
  readonly prefix: string
}

const orders = new Map(
  Object.entries(ORDERS).map(([type, order]) => {
    let prefix = ''
    const children: Child[] = []
    for (const word of order.split(' ').filter(Boolean)) {
      if (word.endsWith(':')) prefix = word.slice(0, -1)
      else children.push({ name: word, prefix })
    }
    return [type, children] as const
  }),
)

/** Members that XML has as attributes. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  idG: 'id',
  versionG: 'version',
  order: 'order',
  targetClass: 'targetClass',
  lang: 'lang',
  modelBaseVersionG: 'modelBaseVersion',
  profileNameG: 'profileName',
  profileVersionG: 'profileVersion',
}
const CLASSES: Readonly<Record<string, string>> = { FacilityObject: 'afac:FacilityObject' }
/** Members that XML spells otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  locLocationExtensionG: '_locationExtension',
  FacilityLocation: 'facilityLocation',
}

type Members = Readonly<Record<string, unknown>>

/** A whole document of one of the two roots. A text in place of a list of sites stays as it is. */
export function xmlDocument(document: Members): string {
  const [[name = '', content] = []] = Object.entries(document)
  const declared = Object.entries(NAMESPACES).map(
    ([prefix, space]) => ` xmlns:${prefix}="http://datex2.eu/schema/3/${space}"`,
  )
  const spaces = `${declared.join('')} xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`
  const root = { name, prefix: name === 'payload' ? 'd2' : 'con' }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elements(root, content, spaces)}`
}

/** @param name of the list that it stands in: `energyInfrastructureSite`, `energyInfrastructureSiteStatus` */
export function xmlOfSite(name: string, site: unknown): string {
  return elements({ name, prefix: 'aegi' }, site)
}

function elements(child: Child, value: unknown, spaces = ''): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map((one) => elements(child, one)).join('')
  if (child.name.startsWith('energyInfrastructureSite') && typeof value === 'string') return value
  const tag = `${child.prefix}:${NAMES[child.name] ?? child.name}`
  if (typeof value !== 'object' || value === null) return `<${tag}>${escaped(String(value))}</${tag}>`
  const members = value as Members
  const text = enumerated(members)
  if (text)
    return text.added ? `<${tag} _extendedValue="${text.added}">_extended</${tag}>` : `<${tag}>${text.value}</${tag}>`
  if (Array.isArray(members.values)) return `<${tag}>${multilingual(members.values)}</${tag}>`
  const { type, attribute, content } = typed(child.name, members)
  const own = type === 'messageContainer' || type === 'exchangeInformation' ? ' modelBaseVersion="3"' : ''
  return `<${tag}${spaces}${attribute}${own}${attributes({ ...members, ...content })}>${children(type, content)}</${tag}>`
}

/** The values of an enumeration are objects, with an own member for those that the profile added. */
function enumerated({ value, extendedValueG, ...rest }: Members) {
  if (typeof value !== 'string' || Object.keys(rest).length > 0) return undefined
  return { value: escaped(value), added: typeof extendedValueG === 'string' ? escaped(extendedValueG) : undefined }
}

function multilingual(values: readonly unknown[]): string {
  const each = (values as readonly { readonly lang: string; readonly value: string }[]).map(
    ({ lang, value }) => `<com:value lang="${escaped(lang)}">${escaped(value)}</com:value>`,
  )
  return `<com:values>${each.join('')}</com:values>`
}

/** One of several types stands in a member with its name, which XML has as an attribute. */
function typed(name: string, members: Members): { type: string; attribute: string; content: Members } {
  for (const [key, content] of Object.entries(members)) {
    const [, prefix, type = ''] = /^(aegi|afac|com|loc)([A-Z]\w*)$/.exec(key) ?? []
    if (prefix && orders.has(type))
      return { type, attribute: ` xsi:type="${prefix}:${type}"`, content: content as Members }
  }
  return { type: name, attribute: '', content: members }
}

function attributes(members: Members): string {
  const found = Object.entries(ATTRIBUTES).filter(
    ([member]) => typeof members[member] !== 'object' && member in members,
  )
  return found
    .map(([member, name]) => {
      const value = String(members[member])
      return ` ${name}="${escaped(member === 'targetClass' ? (CLASSES[value] ?? `aegi:${value}`) : value)}"`
    })
    .join('')
}

function children(type: string, content: Members): string {
  return (orders.get(type) ?? []).map((child) => elements(child, content[child.name])).join('')
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 has no word for most control characters: they are left out, and so are halves of pairs. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
}
