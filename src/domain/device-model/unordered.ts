/** Lists whose order has no meaning (CONFIG-A5). */
import type { IntendedVariable, IntentName } from '../intents/records.ts'
import type { StoredVariable } from './records.ts'

/** Keys of OCPP 1.6 that are sets, which has no types for them. ConnectorPhaseRotation names its connectors. */
const SETS_16: ReadonlySet<string> = new Set(
  [
    'ChargingScheduleAllowedChargingRateUnit',
    'ConnectorPhaseRotation',
    'MeterValuesAlignedData',
    'MeterValuesSampledData',
    'StopTxnAlignedData',
    'StopTxnSampledData',
    'SupportedFeatureProfiles',
    'SupportedFileTransferProtocols',
  ].map((key) => key.toLowerCase()),
)

export function isUnordered({
  kind,
  key,
  variable,
}: IntentName & { readonly variable?: IntendedVariable | undefined }): boolean {
  return kind === 'configurationKey' ? SETS_16.has(key.toLowerCase()) : variable?.isUnordered === true
}

export function isMemberList(row: StoredVariable | undefined): boolean {
  return row?.characteristics.dataType?.toLowerCase() === 'memberlist'
}
