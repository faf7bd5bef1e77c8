/** The one mapping to OCPI's members and back: they are ours in snake case, but for what stands here (LOCATION-A7). */
import { isoTime } from '../iso-time.ts'

const OCPI_HAS_NONE = new Set('accountId facts createdAt isRemoved chargePointId ocppEvseId accessibility'.split(' '))
const WE_HAVE_NONE = new Set(
  'country_code party_id last_updated status status_schedule publish_allowed_to related_locations images logo'.split(
    ' ',
  ),
)
const CALLED: Readonly<Record<string, string>> = { locationId: 'id', connectorId: 'id' }

/** Degrees are texts there, and numbers have at most four decimals. */
export function toOcpi(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => toOcpi(one))
  if (typeof value === 'number') {
    if (name === 'lastUpdated') return isoTime(value)
    return name === 'latitude' || name === 'longitude' ? value.toFixed(6) : Number(value.toFixed(4))
  }
  // Later than its beginning, and there is no 24:00.
  if (name === 'periodEnd' && value === '24:00') return '23:59'
  if (typeof value !== 'object' || value === null) return value
  const isAllDay = 'twentyfourseven' in value && value.twentyfourseven
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, one]) => {
      if (OCPI_HAS_NONE.has(member) || (isAllDay && member === 'regularHours')) return []
      const called = CALLED[member] ?? member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return [[called, toOcpi(one, member)]]
    }),
  )
}

/** What we do not know stays, for the schema to refuse; EVSEs that are removed there are left out. */
export function fromOcpi(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.filter((one) => one?.status !== 'REMOVED').map((one) => fromOcpi(one, name))
  if (typeof value === 'string') {
    if (name === 'latitude' || name === 'longitude') return Number(value)
    return /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(value) ? `${value}Z` : value
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, one]) => {
      if (WE_HAVE_NONE.has(member)) return []
      const called = member.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
      const own = name === 'connectors' && member === 'id' ? 'connectorId' : called
      return [[own, fromOcpi(one, own)]]
    }),
  )
}
