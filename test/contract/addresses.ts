/**
 * The addresses of the API, in the order in which the test asks them: what each needs, what it answers, and what it
 * refuses. A line's good request is sent for real, so that the lines below it find what it made.
 */
import { ACCOUNT } from './account.ts'
import type { Address } from './address.ts'
import { CERTIFICATES_OF_STATIONS } from './certificates.ts'
import { CHARGE_POINTS } from './charge-points.ts'
import { CHARGING } from './charging.ts'
import { DESIRED } from './desired.ts'
import { FIRMWARE_AND_LOGS } from './firmware.ts'
import { LIMIT_GROUPS } from './limit-groups.ts'
import { LOCATIONS } from './locations.ts'
import { PARTNERS } from './partners.ts'
import { SESSIONS } from './sessions.ts'

export const ADDRESSES: readonly Address[] = [
  ...CHARGE_POINTS,
  ...DESIRED,
  ...CHARGING,
  ...LIMIT_GROUPS,
  ...FIRMWARE_AND_LOGS,
  ...CERTIFICATES_OF_STATIONS,
  ...SESSIONS,
  ...PARTNERS,
  ...LOCATIONS,
  ...ACCOUNT,
]
