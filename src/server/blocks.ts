/** What blocks show: endpoints of the API and pages of the console, a line each, mounted by app.ts. */

import { addAfir } from '../afir/routes.ts'
import type { Api } from '../api/api-parts.ts'
import { addChargingProfiles, addLimits, addStationModels } from '../api/charging/profiles.ts'
import { addCustomerInformation, addDisplayMessages } from '../api/driver/display-messages.ts'
import { addAlerts, addAlertTests } from '../api/network/alerts.ts'
import { addBulkOrders } from '../api/network/bulk-orders.ts'
import { addCertificateRequests, addCertificatesOfChargePoints, addProfileJobs } from '../api/network/certificates.ts'
import { addConfigurations } from '../api/network/configuration.ts'
import { addDataTransfers } from '../api/network/data-transfers.ts'
import { addDeviceModel } from '../api/network/device-model.ts'
import { addFiles, addLogs } from '../api/network/files.ts'
import { addCampaigns, addImages } from '../api/network/firmware-campaigns.ts'
import { addIntents } from '../api/network/intents.ts'
import { addLimitGroups } from '../api/network/limit-groups.ts'
import { addLocations } from '../api/network/locations.ts'
import { addLocalLists, addMonitors, addStationEvents } from '../api/network/named-of-fleet.ts'
import { addPasswordRotations } from '../api/network/password-rotations.ts'
import { addReservations } from '../api/network/reservations.ts'
import { addSignedData } from '../api/network/signed-values.ts'
import { addTariffRoutes } from '../api/network/tariffs.ts'
import { addChargePointTimeline } from '../api/network/timeline.ts'
import { addUptime } from '../api/network/uptime.ts'
import { addWebPayments } from '../api/network/web-payments.ts'
import { addReports } from '../api/routes/reports.ts'
import { addSites } from '../api/routes/sites.ts'
import { addCertificatePages } from '../console/certificates/page.tsx'
import { addStationCertificatePages } from '../console/certificates/station-pages.tsx'
import { addConfigurationPages } from '../console/configuration/page.tsx'
import type { MountConsolePages } from '../console/console-parts.ts'
import { addVariablePages } from '../console/device-model/page.tsx'
import { addLimitPages } from '../console/limits/page.tsx'
import { addLocationPages } from '../console/locations/page.tsx'
import { addLogPages } from '../console/log/page.tsx'
import { addMonitorPages } from '../console/monitors/page.tsx'
import { addNodePages } from '../console/nodes/page.tsx'
import { addReportPages } from '../console/reports/page.tsx'
import { addSitePages } from '../console/sites/page.tsx'
import { addStationLimitPages } from '../console/station-limits/page.tsx'
import { addTimelinePage } from '../console/timeline/page.tsx'
import { addUptimePages } from '../console/uptime/page.tsx'
import { addOpenOcpi } from '../ocpi/open.ts'
import { addPartners } from '../ocpi/partners/routes.ts'
import type { startWork } from './work.ts'

const BLOCK_ROUTES: readonly ((api: Api) => void)[] = [
  addSignedData,
  addCertificateRequests,
  addCertificatesOfChargePoints,
  addProfileJobs,
  addIntents,
  addDeviceModel,
  addConfigurations,
  addMonitors,
  addLocalLists,
  addLimits,
  addChargingProfiles,
  addStationModels,
  addTariffRoutes,
  addReservations,
  addDisplayMessages,
  addCustomerInformation,
  addStationEvents,
  addLimitGroups,
  addAlerts,
  addReports,
  addChargePointTimeline,
  addDataTransfers,
  addUptime,
  addSites,
  addLocations,
  addWebPayments,
]

/** All of them, with those that give orders to running work. The build describes the same ones on `/docs`. */
export function routesOf(work: Awaited<ReturnType<typeof startWork>>): readonly ((api: Api) => void)[] {
  const { storedFiles, logQuota, rollouts, rotations, bulkOrders, testTargets, ocpi, afir } = work
  return [
    ...BLOCK_ROUTES,
    (api) => addFiles(api, storedFiles, logQuota),
    (api) => addLogs(api, storedFiles),
    (api) => addImages(api, storedFiles),
    (api) => addCampaigns(api, rollouts),
    (api) => addPasswordRotations(api, rotations),
    (api) => addBulkOrders(api, bulkOrders),
    (api) => addAlertTests(api, testTargets),
    (api) => addPartners(api, ocpi.orders),
    ...(afir
      ? [
          (api: Api) => addAfir(api, afir.feed, afir.access),
          (api: Api) => addOpenOcpi(api, { published: afir.feed.published, access: afir.access }),
        ]
      : []),
  ]
}

export const BLOCK_PAGES: readonly MountConsolePages[] = [
  addVariablePages,
  addConfigurationPages,
  addCertificatePages,
  addStationCertificatePages,
  addTimelinePage,
  addLimitPages,
  addStationLimitPages,
  addReportPages,
  addUptimePages,
  addSitePages,
  addLocationPages,
  addLogPages,
  addNodePages,
  addMonitorPages,
]
