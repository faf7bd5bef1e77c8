/** The same documents as XML (AFIR-A1): members stand in the order of its elements, whose namespaces are data here. */

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

/** All others are of `aegi`, and so is all of an energy rate. */
const PREFIXES = new Map(
  Object.entries({
    con: 'payload exchangeInformation',
    ex: 'exchangeContext codedExchangeProtocol exchangeSpecificationVersion supplierOrCisRequester dynamicInformation exchangeStatus messageGenerationTimestamp',
    com: 'publicationTime publicationCreator country nationalIdentifier confidentiality informationStatus overallStartTime overallEndTime validPeriod exceptionPeriod startOfPeriod endOfPeriod recurringTimePeriodOfDay recurringDayWeekMonthPeriod startTimeOfPeriod endTimeOfPeriod applicableDay vehicleType grossWeightCharacteristic heightCharacteristic lengthCharacteristic widthCharacteristic comparisonOperator grossVehicleWeight typeOfWeight vehicleHeight vehicleLength vehicleWidth',
    loc: 'coordinatesForDisplay locLocationExtensionG pointByCoordinates pointCoordinates latitude longitude FacilityLocation',
    locx: 'timeZone address postcode city countryCode addressLine type text nutsArea nutsCodeType nutsCode',
    afac: 'name lastUpdated additionalInformation externalIdentifier operatingHours locationReference owner operator helpdesk applicableForVehicles dimension amenities supplementalFacility dedicatedParkingSpaces reference equipmentType serviceFacilityType paymentMeans length width illuminated roofed identifier typeOfIdentifier legalName linkToGeneralInformation organisationUnit contactInformation telephoneNumber overallPeriod',
  }).flatMap(([prefix, names]) => names.split(' ').map((name) => [name, prefix] as const)),
)
const OF_RATES = ['energyRate', 'energyPrice', 'energyRateUpdate']

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
/** Members that XML spells otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  locLocationExtensionG: '_locationExtension',
  FacilityLocation: 'facilityLocation',
}
const BASED = ['messageContainer', 'exchangeInformation']

type Members = Readonly<Record<string, unknown>>

/** A whole document of one of the two roots. A text in place of a list of sites stays as it is. */
export function xmlDocument(document: Members): string {
  const [[name = '', content] = []] = Object.entries(document)
  const declared = Object.entries({ ...NAMESPACES, xsi: '' }).map(
    ([prefix, space]) =>
      ` xmlns:${prefix}="${space ? `http://datex2.eu/schema/3/${space}` : 'http://www.w3.org/2001/XMLSchema-instance'}"`,
  )
  const prefix = name === 'payload' ? 'd2' : 'con'
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elements(`${prefix}:${name}`, name, content, declared.join(''))}`
}

/** @param name of the list that it stands in: `energyInfrastructureSite`, `energyInfrastructureSiteStatus` */
export function xmlOfSite(name: string, site: unknown): string {
  return elements(`aegi:${name}`, name, site)
}

function elements(tag: string, name: string, value: unknown, spaces = ''): string {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map((one) => elements(tag, name, one)).join('')
  if (name.startsWith('energyInfrastructureSite') && typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return `<${tag}>${escaped(String(value))}</${tag}>`
  const members = value as Members
  if (isEnumerated(members)) {
    const { value: word, extendedValueG: added } = members
    return added
      ? `<${tag} _extendedValue="${escaped(String(added))}">_extended</${tag}>`
      : `<${tag}>${escaped(String(word))}</${tag}>`
  }
  if (Array.isArray(members.values)) {
    const texts = members.values.map(
      ({ lang, value }) => `<com:value lang="${escaped(lang)}">${escaped(value)}</com:value>`,
    )
    return `<${tag}><com:values>${texts.join('')}</com:values></${tag}>`
  }
  const [type, content] = typed(members)
  const attributes = Object.entries(ATTRIBUTES).map(([member, attribute]) => {
    const text = String(content[member])
    const value = member === 'targetClass' ? `${text === 'FacilityObject' ? 'afac' : 'aegi'}:${text}` : text
    return content[member] === undefined ? '' : ` ${attribute}="${escaped(value)}"`
  })
  const based = BASED.includes(name) ? ' modelBaseVersion="3"' : ''
  const children = Object.entries(content).map(([member, inner]) => {
    if (member in ATTRIBUTES) return ''
    const prefix = OF_RATES.includes(name) ? 'aegi' : (PREFIXES.get(member) ?? 'aegi')
    return elements(`${prefix}:${NAMES[member] ?? member}`, member, inner)
  })
  return `<${tag}${spaces}${type}${based}${attributes.join('')}>${children.join('')}</${tag}>`
}

/** The values of an enumeration are objects, with an own member for those that the profile added. */
function isEnumerated({ value, extendedValueG: _, ...rest }: Members): boolean {
  return typeof value === 'string' && Object.keys(rest).length === 0
}

/** One of several types stands in a member with its name, which XML has as an attribute. */
function typed(members: Members): readonly [attribute: string, content: Members] {
  for (const [member, content] of Object.entries(members)) {
    const [, prefix, type] = (!NAMES[member] && /^(aegi|afac|com|loc)([A-Z]\w*)$/.exec(member)) || []
    if (prefix) return [` xsi:type="${prefix}:${type}"`, { ...members, [member]: undefined, ...(content as Members) }]
  }
  return ['', members]
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 has no word for most control characters: they are left out, and so are halves of pairs. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
}
