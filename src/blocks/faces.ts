/**
 * What blocks show: their endpoints on the API and their pages on the console, a line each. Mounted by app.ts behind
 * the API's and the console's own; described, guarded and validated like those.
 */
import type { MountConsolePages } from '../console/console-parts.ts'
import type { Api } from '../http/api-parts.ts'
import { addAlerts } from './alerts/routes.ts'
import { addCertificatesOfChargePoints } from './certificates/of-charge-point/routes.ts'
import { addCertificatePages } from './certificates/page/page.tsx'
import { addCertificateRequests } from './certificates/routes.ts'
import { addConfigurationPages } from './configuration/page/page.tsx'
import { addConfigurations } from './configuration/routes.ts'
import { addDataTransfers } from './data-transfers/routes.ts'
import { addVariablePages } from './device-model/page/page.tsx'
import { addDeviceModel } from './device-model/routes.ts'
import { addIntents } from './intents/routes.ts'
import { addStationEvents } from './monitors/events/routes.ts'
import { addMonitors } from './monitors/routes.ts'
import { addProfileJobs } from './profile-jobs/routes.ts'
import { addSignedData } from './signed-values/routes.ts'
import { addTimelinePage } from './timeline/page/page.tsx'
import { addChargePointTimeline } from './timeline/routes.ts'

/** Of each block's routes.ts. */
export const BLOCK_ROUTES: readonly ((api: Api) => void)[] = [
  addSignedData,
  addCertificateRequests,
  addCertificatesOfChargePoints,
  addProfileJobs,
  addIntents,
  addDeviceModel,
  addConfigurations,
  addMonitors,
  addStationEvents,
  addAlerts,
  addChargePointTimeline,
  addDataTransfers,
]

/** Of each block's page.tsx. */
export const BLOCK_PAGES: readonly MountConsolePages[] = [
  addVariablePages,
  addConfigurationPages,
  addCertificatePages,
  addTimelinePage,
]
