import { isoTime } from '../../../src/domain/iso-time.ts'
import type { CommandTarget } from '../../commands/target.ts'
import { DISPLAY_FORMATS, DISPLAY_PRIORITIES, MAX_MESSAGES } from '../../model/display.ts'
import { MEASURANDS } from '../../model/station-rules.ts'
import { MAX_CHAIN_LENGTH, MAX_ROOTS } from '../../security/certificates.ts'
import { SLOTS } from '../../security/network-access.ts'
import type { VariableDeclaration } from './variable.ts'

/** What one message may hold (B05.FR.11, B06.FR.05). */
const ITEMS_PER_MESSAGE = '20'
const BYTES_PER_MESSAGE = '16384'
/** Entries per NotifyReport: small enough that a report really comes in several parts. */
export const REPORT_CHUNK = 8

const MESSAGES_WITH_LIMITS = [
  ['DeviceDataCtrlr', 'GetReport'],
  ['DeviceDataCtrlr', 'GetVariables'],
  ['DeviceDataCtrlr', 'SetVariables'],
  ['MonitoringCtrlr', 'ClearVariableMonitoring'],
  ['MonitoringCtrlr', 'SetVariableMonitoring'],
] as const

export function standardVariables(target: CommandTarget): readonly VariableDeclaration[] {
  return [
    ...communication(target),
    ...conduct(target),
    ...security(target),
    ...limits(),
    ...parts(target),
    ...target.outlets.flatMap((outlet) => ofOutlet(target, outlet)),
  ]
}

function communication({ messageRetries, network }: CommandTarget): readonly VariableDeclaration[] {
  const component = 'OCPPCommCtrlr'
  const whole = { component, dataType: 'integer' } as const
  const attempts = String(messageRetries.attempts)
  const interval = String(messageRetries.intervalSeconds)
  const instance = 'TransactionEvent'
  return [
    { ...whole, variable: 'HeartbeatInterval', value: '300', unit: 's', minLimit: 1, effect: 'heartbeatInterval' },
    { ...whole, variable: 'WebSocketPingInterval', value: '0', unit: 's', minLimit: 0, effect: 'pingInterval' },
    {
      ...whole,
      variable: 'MessageAttempts',
      instance,
      value: attempts,
      minLimit: 1,
      maxLimit: 100,
      effect: 'messageAttempts',
    },
    {
      ...whole,
      variable: 'MessageAttemptInterval',
      instance,
      value: interval,
      unit: 's',
      minLimit: 0,
      effect: 'messageRetryInterval',
    },
    { ...whole, variable: 'MessageTimeout', instance: 'Default', value: '30', unit: 's', mutability: 'ReadOnly' },
    { ...whole, variable: 'OfflineThreshold', value: '60', unit: 's', minLimit: 0, effect: 'offlineThreshold' },
    { ...whole, variable: 'ResetRetries', value: '0', mutability: 'ReadOnly' },
    { component, variable: 'UnlockOnEVSideDisconnect', value: 'true', dataType: 'boolean', mutability: 'ReadOnly' },
    { ...whole, variable: 'NetworkProfileConnectionAttempts', value: '1', mutability: 'ReadOnly' },
    {
      component,
      variable: 'NetworkConfigurationPriority',
      value: '1',
      dataType: 'SequenceList',
      valuesList: SLOTS.map(String),
      effect: 'networkPriority',
      needsReboot: true,
    },
    {
      ...whole,
      variable: 'ActiveNetworkProfile',
      value: '1',
      mutability: 'ReadOnly',
      live: () => String([...network.slots].find(([, profile]) => profile === network.present)?.[0] ?? 1),
    },
    {
      component,
      variable: 'FileTransferProtocols',
      value: 'HTTP,HTTPS',
      dataType: 'MemberList',
      valuesList: ['HTTP', 'HTTPS'],
      mutability: 'ReadOnly',
    },
    publicKeyPolicy(component),
  ]
}

function publicKeyPolicy(component: string): VariableDeclaration {
  return {
    component,
    variable: 'PublicKeyWithSignedMeterValue',
    value: 'EveryMeterValue',
    dataType: 'OptionList',
    valuesList: ['Never', 'OncePerTransaction', 'EveryMeterValue'],
    effect: 'publicKeyWithReadings',
  }
}

function live(read: () => string) {
  return { mutability: 'ReadOnly', live: read } as const
}

/** Which meter values are sent, and when (J01, J02). */
function meterValues(rules: CommandTarget['rules']): readonly VariableDeclaration[] {
  const list = (measurands: readonly string[]) =>
    ({ value: measurands.join(','), dataType: 'MemberList', valuesList: MEASURANDS }) as const
  const seconds = { value: '0', dataType: 'integer', unit: 's', minLimit: 0, maxLimit: 86_400 } as const
  const [sampled, aligned] = [{ component: 'SampledDataCtrlr' }, { component: 'AlignedDataCtrlr' }]
  const { sampledMeasurands, startedMeasurands, endedMeasurands, alignedMeasurands } = rules
  return [
    { ...sampled, variable: 'TxUpdatedMeasurands', ...list(sampledMeasurands), effect: 'sampledMeasurands' },
    { ...sampled, variable: 'TxStartedMeasurands', ...list(startedMeasurands), effect: 'startedMeasurands' },
    { ...sampled, variable: 'TxEndedMeasurands', ...list(endedMeasurands.sampled), effect: 'endedMeasurands' },
    { ...sampled, variable: 'TxEndedInterval', ...seconds, effect: 'endedInterval' },
    { ...aligned, variable: 'Interval', ...seconds, effect: 'alignedInterval' },
    { ...aligned, variable: 'Measurands', ...list(alignedMeasurands), effect: 'alignedMeasurands' },
    { ...aligned, variable: 'TxEndedMeasurands', ...list(endedMeasurands.aligned), effect: 'alignedEndedMeasurands' },
    // The end of a charge reports the values at the instants of the aligned ones.
    { ...aligned, variable: 'TxEndedInterval', ...seconds, mutability: 'ReadOnly' },
  ]
}

/** What it keeps of cards and of messages for its display (D, O). */
function kept({ cards, displayed }: CommandTarget): readonly VariableDeclaration[] {
  const { rules } = cards.list
  const whole = { dataType: 'integer', mutability: 'ReadOnly', value: '0' } as const
  const list = { component: 'LocalAuthListCtrlr', ...whole } as const
  const display = { component: 'DisplayMessageCtrlr', mutability: 'ReadOnly' } as const
  const members = (values: readonly string[]) =>
    ({ value: values.join(','), dataType: 'MemberList', valuesList: values }) as const
  return [
    { ...list, variable: 'Entries', maxLimit: rules.mostEntries, ...live(() => String(cards.list.size)) },
    { ...list, variable: 'ItemsPerMessage', value: String(rules.mostPerMessage) },
    { ...list, variable: 'BytesPerMessage', value: String(rules.mostBytes) },
    { ...display, variable: 'Available', value: 'true', dataType: 'boolean' },
    {
      ...display,
      ...whole,
      variable: 'DisplayMessages',
      maxLimit: MAX_MESSAGES,
      ...live(() => String(displayed.size)),
    },
    ...['Cost', 'Tariff'].flatMap((instance) =>
      ['Available', 'Enabled'].map((variable) => ({
        component: 'TariffCostCtrlr',
        variable,
        instance,
        value: 'true',
        dataType: 'boolean' as const,
        mutability: 'ReadOnly' as const,
      })),
    ),
    { ...display, variable: 'SupportedFormats', ...members(DISPLAY_FORMATS) },
    { ...display, variable: 'SupportedPriorities', ...members(DISPLAY_PRIORITIES) },
  ]
}

/** What this station can do with charging profiles (K). */
function smartCharging({ limits }: CommandTarget): readonly VariableDeclaration[] {
  const component = 'SmartChargingCtrlr'
  const { rules } = limits
  const fixed = { component, mutability: 'ReadOnly' } as const
  const whole = { ...fixed, dataType: 'integer' } as const
  const yes = { ...fixed, value: 'true', dataType: 'boolean' } as const
  const entries = { maxLimit: rules.mostProfiles, live: () => String(limits.profiles().length) }
  return [
    { ...yes, variable: 'Enabled' },
    { ...yes, variable: 'Available' },
    { ...yes, variable: 'Phases3to1' },
    { ...yes, variable: 'ExternalControlSignalsEnabled' },
    { ...yes, variable: 'NotifyChargingLimitWithSchedules' },
    { ...whole, variable: 'Entries', instance: 'ChargingProfiles', value: '0', ...entries },
    { ...whole, variable: 'LimitChangeSignificance', value: '0', dataType: 'decimal', unit: 'Percent' },
    { ...whole, variable: 'ProfileStackLevel', value: String(rules.highestStackLevel) },
    { ...whole, variable: 'PeriodsPerSchedule', value: String(rules.mostPeriods) },
    { ...fixed, variable: 'RateUnit', value: rules.units.join(','), dataType: 'MemberList', valuesList: ['A', 'W'] },
  ]
}

function conduct(target: CommandTarget): readonly VariableDeclaration[] {
  const { sampleIntervalSeconds, meterPublicKey, rules } = target
  const yes = { value: 'true', dataType: 'boolean' } as const
  const no = { value: 'false', dataType: 'boolean' } as const
  // A charge begins when a good card and a cable are there, and ends when one of them goes: nothing else can be set.
  const startAndStop = { value: 'PowerPathClosed', dataType: 'MemberList', mutability: 'ReadOnly' } as const
  const value = String(sampleIntervalSeconds)
  return [
    { component: 'TxCtrlr', variable: 'TxStartPoint', valuesList: ['PowerPathClosed'], ...startAndStop },
    { component: 'TxCtrlr', variable: 'TxStopPoint', valuesList: ['PowerPathClosed'], ...startAndStop },
    { component: 'TxCtrlr', variable: 'StopTxOnEVSideDisconnect', ...yes, effect: 'stopOnDisconnect' },
    ...meterValues(rules),
    {
      component: 'TxCtrlr',
      variable: 'EVConnectionTimeOut',
      value: '60',
      dataType: 'integer',
      unit: 's',
      minLimit: 0,
      effect: 'connectionTimeout',
    },
    { component: 'TxCtrlr', variable: 'StopTxOnInvalidId', ...yes, effect: 'stopOnInvalidId' },
    {
      component: 'SampledDataCtrlr',
      variable: 'TxUpdatedInterval',
      value,
      dataType: 'integer',
      unit: 's',
      minLimit: 0,
      effect: 'sampleInterval',
    },
    {
      component: 'SampledDataCtrlr',
      variable: 'SignReadings',
      ...no,
      value: String(rules.signsReadings),
      effect: 'signReadings',
    },
    { component: 'FiscalMetering', variable: 'PublicKey', value: '', mutability: 'ReadOnly', live: meterPublicKey },
    { component: 'LocalAuthListCtrlr', variable: 'Enabled', ...yes, effect: 'listEnabled' },
    { component: 'AuthCacheCtrlr', variable: 'Enabled', ...yes, effect: 'cacheEnabled' },
    { component: 'AuthCtrlr', variable: 'LocalPreAuthorize', ...no, effect: 'localPreAuthorise' },
    { component: 'AuthCtrlr', variable: 'AuthorizeRemoteStart', ...no, effect: 'authoriseRemoteStart' },
    { component: 'AuthCtrlr', variable: 'LocalAuthorizeOffline', ...yes, effect: 'knownOffline' },
    { component: 'AuthCtrlr', variable: 'OfflineTxForUnknownIdEnabled', ...yes, effect: 'unknownOffline' },
    { component: 'ReservationCtrlr', variable: 'Enabled', ...yes, mutability: 'ReadOnly' },
    { component: 'ReservationCtrlr', variable: 'Available', ...yes, mutability: 'ReadOnly' },
    { component: 'ReservationCtrlr', variable: 'NonEvseSpecific', ...yes, mutability: 'ReadOnly' },
    { component: 'LocalAuthListCtrlr', variable: 'Available', ...yes, mutability: 'ReadOnly' },
    ...smartCharging(target),
    ...kept(target),
    { component: 'MonitoringCtrlr', variable: 'Enabled', ...yes, mutability: 'ReadOnly' },
    { component: 'MonitoringCtrlr', variable: 'Available', ...yes, mutability: 'ReadOnly' },
    {
      component: 'ClockCtrlr',
      variable: 'DateTime',
      value: '',
      dataType: 'dateTime',
      ...live(() => isoTime(target.clock.now())),
    },
    {
      component: 'ClockCtrlr',
      variable: 'TimeSource',
      value: 'Heartbeat',
      dataType: 'SequenceList',
      valuesList: ['Heartbeat'],
    },
    { component: 'ClockCtrlr', variable: 'TimeZone', value: 'UTC', maxLimit: 50, needsReboot: true },
  ]
}

function security({ network, certificates, rules }: CommandTarget): readonly VariableDeclaration[] {
  const component = 'SecurityCtrlr'
  const fixed = { component, dataType: 'integer', mutability: 'ReadOnly' } as const
  const profile = () => String(network.present.securityProfile)
  const entries = () => String(certificates.installed(undefined).length)
  return [
    {
      component,
      variable: 'BasicAuthPassword',
      value: '',
      mutability: 'WriteOnly',
      minLimit: 16,
      maxLimit: 40,
      effect: 'password',
    },
    { ...fixed, variable: 'SecurityProfile', value: '1', live: profile },
    { ...fixed, variable: 'CertificateEntries', value: '0', maxLimit: MAX_ROOTS, live: entries },
    { ...fixed, variable: 'MaxCertificateChainSize', value: String(MAX_CHAIN_LENGTH) },
    { component, variable: 'OrganizationName', value: rules.organization, maxLimit: 255, effect: 'organization' },
  ]
}

function limits(): readonly VariableDeclaration[] {
  const fixed = { dataType: 'integer', mutability: 'ReadOnly', constant: true } as const
  return MESSAGES_WITH_LIMITS.flatMap(([component, instance]) => [
    { ...fixed, component, instance, variable: 'ItemsPerMessage', value: ITEMS_PER_MESSAGE },
    { ...fixed, component, instance, variable: 'BytesPerMessage', value: BYTES_PER_MESSAGE },
  ])
}

function parts({ plate, firmwareVersion, serialNumber }: CommandTarget): readonly VariableDeclaration[] {
  const component = 'ChargingStation'
  const read = { component, mutability: 'ReadOnly' } as const
  return [
    { ...read, variable: 'VendorName', value: plate.vendor, constant: true },
    { ...read, variable: 'Model', value: plate.model, constant: true },
    { ...read, variable: 'SerialNumber', value: serialNumber, constant: true },
    { ...read, variable: 'AvailabilityState', value: 'Available', dataType: 'OptionList', valuesList: STATES },
    { ...read, variable: 'Problem', value: 'false', dataType: 'boolean' },
    {
      component: 'Controller',
      componentInstance: 'Main',
      variable: 'FirmwareVersion',
      value: '',
      mutability: 'ReadOnly',
      live: firmwareVersion,
    },
    { component: 'Fan', componentInstance: 'Left', variable: 'Enabled', value: 'true', dataType: 'boolean' },
    { component: 'Fan', componentInstance: 'Right', variable: 'Enabled', value: 'true', dataType: 'boolean' },
  ]
}

const STATES = ['Available', 'Occupied', 'Reserved', 'Unavailable', 'Faulted']

function ofOutlet({ limitW }: CommandTarget, outlet: CommandTarget['outlets'][number]): readonly VariableDeclaration[] {
  const evse = { component: 'EVSE', evseId: outlet.connectorId, mutability: 'ReadOnly' } as const
  const connector = { ...evse, component: 'Connector', connectorId: 1 } as const
  const state = () => (STATES.includes(outlet.status) ? outlet.status : 'Occupied')
  const states = { dataType: 'OptionList', valuesList: STATES, value: 'Available', live: state } as const
  return [
    { ...evse, variable: 'SupplyPhases', value: '3', dataType: 'integer' },
    { ...evse, variable: 'AvailabilityState', ...states, monitored: true },
    {
      ...evse,
      variable: 'Problem',
      value: 'false',
      dataType: 'boolean',
      live: () => String(outlet.fault !== undefined),
      monitored: true,
    },
    {
      ...evse,
      variable: 'Power',
      value: '0',
      dataType: 'decimal',
      unit: 'W',
      maxLimit: limitW,
      live: () => outlet.meter.reading().powerW.toFixed(0),
      monitored: true,
    },
    {
      ...evse,
      variable: 'CurrentLimit',
      value: '32',
      others: { Target: '32', MinSet: '6', MaxSet: '32' },
      mutability: 'ReadWrite',
      dataType: 'integer',
      unit: 'A',
      minLimit: 6,
      maxLimit: 32,
    },
    { ...connector, variable: 'AvailabilityState', ...states },
    { ...connector, variable: 'PhaseRotation', value: outlet.phaseRotation },
    { ...evse, variable: 'ACPhaseSwitchingSupported', value: 'true', dataType: 'boolean' },
    { ...connector, variable: 'ConnectorType', value: 'cType2', constant: true },
  ]
}
