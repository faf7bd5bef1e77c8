/** From OCPI's members to ours: those in camel case, but for what stands here (LOCATION-A6). */
const WE_HAVE_NONE = new Set(
  'country_code party_id last_updated status status_schedule publish_allowed_to related_locations images logo'.split(
    ' ',
  ),
)

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
