/** All desired state of charge points: another subject is its file and a line here. */
import { budgets } from './budgets.ts'
import { bulkOrders } from './bulk-orders.ts'
import { calls } from './calls.ts'
import { charging } from './charging/charging.ts'
import { customerInformation } from './driver/customer-information.ts'
import { runningCosts } from './driver/running-costs.ts'
import { intents } from './intents.ts'
import { fileJobs } from './jobs.ts'
import { localLists } from './local-lists.ts'
import { passwordChanges } from './password-changes.ts'
import { profileJobs } from './profile-jobs.ts'
import { renewal } from './renewal.ts'
import { reports } from './reports.ts'
import { reservations } from './reservations.ts'
import { signing } from './signing.ts'
import { stops } from './stops.ts'
import type { Subject } from './subject.ts'

/** In order of precedence. */
export const SUBJECTS: readonly Subject[] = [
  calls,
  stops,
  reservations,
  budgets,
  charging,
  runningCosts,
  fileJobs,
  signing,
  profileJobs,
  passwordChanges,
  bulkOrders,
  renewal,
  intents,
  reports,
  localLists,
  customerInformation,
]
