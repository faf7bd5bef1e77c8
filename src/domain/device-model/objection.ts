/** Whether a station's device model allows a value (CONFIG-A6). Without a model the station's own answer decides. */

import type { IntendedVariable, IntentName } from '../intents/records.ts'
import type { StoredVariable } from './records.ts'

const NUMBER = /^[+-]?\d+(\.\d+)?$/

export function objection(row: StoredVariable | undefined, desired: string): string | undefined {
  if (!row || row.gone) return undefined
  const { mutability, dataType = '', constant, minLimit, maxLimit, valuesList } = row.characteristics
  if (mutability?.toLowerCase() === 'readonly' || constant === true) return 'the charge point says that it is read-only'
  const type = dataType.toLowerCase()
  if (type === 'boolean' && !/^(true|false)$/i.test(desired)) return 'the charge point takes true or false'
  if (type === 'integer' && !/^[+-]?\d+$/.test(desired)) return 'the charge point takes a whole number'
  if (type === 'decimal' && !NUMBER.test(desired)) return 'the charge point takes a number'
  if (type === 'datetime' && Number.isNaN(Date.parse(desired))) return 'the charge point takes a time'
  const isText = type === 'string' || type.endsWith('list')
  const size = isText ? desired.length : Number(desired)
  if (NUMBER.test(desired) || isText) {
    const what = isText ? 'characters' : 'as a value'
    if (maxLimit !== undefined && size > maxLimit) return `the charge point takes at most ${maxLimit} ${what}`
    if (!isText && minLimit !== undefined && size < minLimit) return `the charge point takes at least ${minLimit}`
  }
  return valuesList === undefined ? undefined : notListed(type, valuesList, desired)
}

/** A member list may hold any of them, an option list is one of them. */
function notListed(type: string, valuesList: string, desired: string): string | undefined {
  if (type !== 'optionlist' && type !== 'memberlist' && type !== 'sequencelist') return undefined
  const offered = new Set(membersOf(valuesList))
  const requested = type === 'optionlist' ? [desired.trim()] : membersOf(desired)
  const wrong = requested.find((member) => !offered.has(member))
  return wrong === undefined
    ? undefined
    : `the charge point does not offer ${wrong.slice(0, 60)}, but ${valuesList.slice(0, 200)}`
}

function membersOf(list: string): readonly string[] {
  return list
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '')
}

// Lists whose order has no meaning (CONFIG-A5).

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
