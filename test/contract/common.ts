/** What lines of the tables have in common. */

export const FROM = '2026-01-01T00:00:00Z'
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const CP = '/2/evse-controllers/{evseController}'
export const LIST = { limit: '?limit', surprise: '?surprise' } as const
export const WINDOW = '?from=2026-01-01T00:00:00Z&to=2036-01-01T00:00:00Z'
export const READ = 'chargers:read'
export const CONFIGURE = 'chargers:configure'
export const FIRMWARE = 'chargers:firmware'
export const CERTIFICATES = 'chargers:certificates'
export const CONTROL = 'chargers:control'
/** Of a member that is there, whatever it says. */
export const ANY = /^[\s\S]*$/
/** Of what is ordered; one of them is enough to ask. */
export const ORDERING = [CONTROL, CONFIGURE, FIRMWARE] as const
