/** Charge points as CSV (RFC 4180), safe to open in a spreadsheet. */
import { isoTime } from '../../domain/iso-time.ts'
import type { CsvColumns } from '../csv-file.ts'
import { shownPlace } from './connector.tsx'
import type { ShownChargePoint } from './shown-charge-point.ts'

export const CHARGE_POINT_COLUMNS: CsvColumns<ShownChargePoint> = {
  id: ({ view }) => view.id,
  name: ({ view }) => view.name,
  online: ({ live }) => String(live?.online ?? false),
  registrationStatus: ({ view }) => view.registrationStatus,
  protocol: ({ view, live }) => live?.protocol ?? view.status.protocol,
  connectors: ({ view }) =>
    view.connectors
      .map((one) => [shownPlace(one), one.status, errorOf(one)].filter((part) => part !== '').join(' '))
      .join('; '),
  vendor: ({ view }) => view.status.vendor,
  model: ({ view }) => view.status.model,
  serialNumber: ({ view }) => view.status.serialNumber,
  firmwareVersion: ({ view }) => view.status.firmwareVersion,
  securityProfile: ({ view }) => view.securityProfile,
  labels: ({ view }) =>
    Object.entries(view.labels ?? {})
      .map(([key, value]) => `${key}:${value}`)
      .join('; '),
  lastSeenAt: ({ view, live }) => isoTime(live?.lastSeenAt ?? view.status.lastSeenAt),
}

function errorOf({ errorCode }: ShownChargePoint['view']['connectors'][number]): string {
  return errorCode === undefined || errorCode === 'NoError' ? '' : errorCode
}
