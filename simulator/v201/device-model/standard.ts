import { isoTime } from '../../../src/domain/iso-time.ts'
import type { CommandTarget } from '../../commands/target.ts'
import { DISPLAY_FORMATS, DISPLAY_PRIORITIES, MAX_MESSAGES } from '../../model/display.ts'
import { MEASURANDS } from '../../model/station-rules.ts'
import { MAX_CHAIN_LENGTH, MAX_ROOTS } from '../../security/certificates.ts'
import { SLOTS } from '../../security/network-access.ts'
import { component, type VariableDeclaration } from './variable.ts'

/** What one message may hold (B05.FR.11, B06.FR.05). */
const ITEMS_PER_MESSAGE = 20
const BYTES_PER_MESSAGE = 16_384
/** Entries per NotifyReport: small enough that a report really comes in several parts. */
export const REPORT_CHUNK = 8

const FIXED = { mutability: 'ReadOnly' } as const
const CONSTANT = { ...FIXED, constant: true } as const
const SECONDS = { unit: 's', minLimit: 0 } as const
const STATES = ['Available', 'Occupied', 'Reserved', 'Unavailable', 'Faulted']

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
  const of = component('OCPPCommCtrlr')
  const instance = 'TransactionEvent'
  const { attempts, intervalSeconds } = messageRetries
  const slot = () => String([...network.slots].find(([, profile]) => profile === network.present)?.[0] ?? 1)
  return [
    of('HeartbeatInterval', 300, { unit: 's', minLimit: 1, effect: 'heartbeatInterval' }),
    of('WebSocketPingInterval', 0, { ...SECONDS, effect: 'pingInterval' }),
    of('MessageAttempts', attempts, { instance, minLimit: 1, maxLimit: 100, effect: 'messageAttempts' }),
    of('MessageAttemptInterval', intervalSeconds, { instance, ...SECONDS, effect: 'messageRetryInterval' }),
    of('MessageTimeout', 30, { instance: 'Default', unit: 's', ...FIXED }),
    of('OfflineThreshold', 60, { ...SECONDS, effect: 'offlineThreshold' }),
    of('ResetRetries', 0, FIXED),
    of('UnlockOnEVSideDisconnect', true, FIXED),
    of('NetworkProfileConnectionAttempts', 1, FIXED),
    of('NetworkConfigurationPriority', '1', {
      dataType: 'SequenceList',
      valuesList: SLOTS.map(String),
      effect: 'networkPriority',
      needsReboot: true,
    }),
    of('ActiveNetworkProfile', 1, { ...FIXED, live: slot }),
    of('FileTransferProtocols', ['HTTP', 'HTTPS'], FIXED),
    of('PublicKeyWithSignedMeterValue', 'EveryMeterValue', {
      dataType: 'OptionList',
      valuesList: ['Never', 'OncePerTransaction', 'EveryMeterValue'],
      effect: 'publicKeyWithReadings',
    }),
  ]
}

/** Which meter values are sent, and when (J01, J02). */
function meterValues({ rules }: CommandTarget): readonly VariableDeclaration[] {
  const [sampled, aligned] = [component('SampledDataCtrlr'), component('AlignedDataCtrlr')]
  const { sampledMeasurands, startedMeasurands, endedMeasurands, alignedMeasurands } = rules
  const any = { valuesList: MEASURANDS }
  const seconds = { ...SECONDS, maxLimit: 86_400 }
  return [
    sampled('TxUpdatedMeasurands', sampledMeasurands, { ...any, effect: 'sampledMeasurands' }),
    sampled('TxStartedMeasurands', startedMeasurands, { ...any, effect: 'startedMeasurands' }),
    sampled('TxEndedMeasurands', endedMeasurands.sampled, { ...any, effect: 'endedMeasurands' }),
    sampled('TxEndedInterval', 0, { ...seconds, effect: 'endedInterval' }),
    aligned('Interval', 0, { ...seconds, effect: 'alignedInterval' }),
    aligned('Measurands', alignedMeasurands, { ...any, effect: 'alignedMeasurands' }),
    aligned('TxEndedMeasurands', endedMeasurands.aligned, { ...any, effect: 'alignedEndedMeasurands' }),
    // The end of a charge reports the values at the instants of the aligned ones.
    aligned('TxEndedInterval', 0, { ...seconds, ...FIXED }),
  ]
}

/** What it keeps of cards and of messages for its display (D, O). */
function kept({ cards, displayed }: CommandTarget): readonly VariableDeclaration[] {
  const { rules } = cards.list
  const list = component('LocalAuthListCtrlr', FIXED)
  const display = component('DisplayMessageCtrlr', FIXED)
  const costs = component('TariffCostCtrlr', FIXED)
  return [
    list('Entries', 0, { maxLimit: rules.mostEntries, live: () => String(cards.list.size) }),
    list('ItemsPerMessage', rules.mostPerMessage),
    list('BytesPerMessage', rules.mostBytes),
    display('Available', true),
    display('DisplayMessages', 0, { maxLimit: MAX_MESSAGES, live: () => String(displayed.size) }),
    ...['Cost', 'Tariff'].flatMap((instance) =>
      ['Available', 'Enabled'].map((name) => costs(name, true, { instance })),
    ),
    display('SupportedFormats', DISPLAY_FORMATS),
    display('SupportedPriorities', DISPLAY_PRIORITIES),
  ]
}

/** What this station can do with charging profiles (K). */
function smartCharging({ limits }: CommandTarget): readonly VariableDeclaration[] {
  const of = component('SmartChargingCtrlr', FIXED)
  const { highestStackLevel, mostPeriods, mostProfiles, units } = limits.rules
  const live = () => String(limits.profiles().length)
  return [
    of('Enabled', true),
    of('Available', true),
    of('Phases3to1', true),
    of('ExternalControlSignalsEnabled', true),
    of('NotifyChargingLimitWithSchedules', true),
    of('Entries', 0, { instance: 'ChargingProfiles', maxLimit: mostProfiles, live }),
    of('LimitChangeSignificance', 0, { dataType: 'decimal', unit: 'Percent' }),
    of('ProfileStackLevel', highestStackLevel),
    of('PeriodsPerSchedule', mostPeriods),
    of('RateUnit', units, { valuesList: ['A', 'W'] }),
  ]
}

function conduct(target: CommandTarget): readonly VariableDeclaration[] {
  const { sampleIntervalSeconds, meterPublicKey, rules } = target
  const [transactions, sampled] = [component('TxCtrlr'), component('SampledDataCtrlr')]
  const [cards, clock] = [component('AuthCtrlr'), component('ClockCtrlr')]
  const reservations = component('ReservationCtrlr', FIXED)
  const monitoring = component('MonitoringCtrlr', FIXED)
  return [
    // A charge begins when a good card and a cable are there, and ends when one of them goes: nothing else can be set.
    transactions('TxStartPoint', ['PowerPathClosed'], FIXED),
    transactions('TxStopPoint', ['PowerPathClosed'], FIXED),
    transactions('StopTxOnEVSideDisconnect', true, { effect: 'stopOnDisconnect' }),
    ...meterValues(target),
    transactions('EVConnectionTimeOut', 60, { ...SECONDS, effect: 'connectionTimeout' }),
    transactions('StopTxOnInvalidId', true, { effect: 'stopOnInvalidId' }),
    sampled('TxUpdatedInterval', sampleIntervalSeconds, { ...SECONDS, effect: 'sampleInterval' }),
    sampled('SignReadings', rules.signsReadings, { effect: 'signReadings' }),
    component('FiscalMetering')('PublicKey', '', { ...FIXED, live: meterPublicKey }),
    component('LocalAuthListCtrlr')('Enabled', true, { effect: 'listEnabled' }),
    component('AuthCacheCtrlr')('Enabled', true, { effect: 'cacheEnabled' }),
    cards('LocalPreAuthorize', false, { effect: 'localPreAuthorise' }),
    cards('AuthorizeRemoteStart', false, { effect: 'authoriseRemoteStart' }),
    cards('LocalAuthorizeOffline', true, { effect: 'knownOffline' }),
    cards('OfflineTxForUnknownIdEnabled', true, { effect: 'unknownOffline' }),
    reservations('Enabled', true),
    reservations('Available', true),
    reservations('NonEvseSpecific', true),
    component('LocalAuthListCtrlr')('Available', true, FIXED),
    ...smartCharging(target),
    ...kept(target),
    monitoring('Enabled', true),
    monitoring('Available', true),
    clock('DateTime', '', { dataType: 'dateTime', ...FIXED, live: () => isoTime(target.clock.now()) }),
    clock('TimeSource', 'Heartbeat', { dataType: 'SequenceList', valuesList: ['Heartbeat'] }),
    clock('TimeZone', 'UTC', { maxLimit: 50, needsReboot: true }),
  ]
}

function security({ network, certificates, rules }: CommandTarget): readonly VariableDeclaration[] {
  const of = component('SecurityCtrlr')
  const entries = () => String(certificates.installed(undefined).length)
  return [
    of('BasicAuthPassword', '', { mutability: 'WriteOnly', minLimit: 16, maxLimit: 40, effect: 'password' }),
    of('SecurityProfile', 1, { ...FIXED, live: () => String(network.present.securityProfile) }),
    of('CertificateEntries', 0, { ...FIXED, maxLimit: MAX_ROOTS, live: entries }),
    of('MaxCertificateChainSize', MAX_CHAIN_LENGTH, FIXED),
    of('OrganizationName', rules.organization, { maxLimit: 255, effect: 'organization' }),
  ]
}

function limits(): readonly VariableDeclaration[] {
  const messages = {
    DeviceDataCtrlr: ['GetReport', 'GetVariables', 'SetVariables'],
    MonitoringCtrlr: ['ClearVariableMonitoring', 'SetVariableMonitoring'],
  }
  return Object.entries(messages).flatMap(([name, instances]) =>
    instances.flatMap((instance) => [
      component(name, CONSTANT)('ItemsPerMessage', ITEMS_PER_MESSAGE, { instance }),
      component(name, CONSTANT)('BytesPerMessage', BYTES_PER_MESSAGE, { instance }),
    ]),
  )
}

function parts({ plate, firmwareVersion, serialNumber }: CommandTarget): readonly VariableDeclaration[] {
  const of = component('ChargingStation', FIXED)
  return [
    of('VendorName', plate.vendor, CONSTANT),
    of('Model', plate.model, CONSTANT),
    of('SerialNumber', serialNumber, CONSTANT),
    of('AvailabilityState', 'Available', { dataType: 'OptionList', valuesList: STATES }),
    of('Problem', false),
    component('Controller', FIXED)('FirmwareVersion', '', { componentInstance: 'Main', live: firmwareVersion }),
    component('Fan')('Enabled', true, { componentInstance: 'Left' }),
    component('Fan')('Enabled', true, { componentInstance: 'Right' }),
  ]
}

function ofOutlet({ limitW }: CommandTarget, outlet: CommandTarget['outlets'][number]): readonly VariableDeclaration[] {
  const { connectorId: evseId, phaseRotation } = outlet
  const evse = component('EVSE', { evseId, ...FIXED })
  const connector = component('Connector', { evseId, connectorId: 1, ...FIXED })
  const state = () => (STATES.includes(outlet.status) ? outlet.status : 'Occupied')
  const states = { dataType: 'OptionList', valuesList: STATES, live: state } as const
  const powerW = () => outlet.meter.reading().powerW.toFixed(0)
  const amps = { unit: 'A', minLimit: 6, maxLimit: 32, mutability: 'ReadWrite' } as const
  return [
    evse('SupplyPhases', 3),
    evse('AvailabilityState', 'Available', { ...states, monitored: true }),
    evse('Problem', false, { live: () => String(outlet.fault !== undefined), monitored: true }),
    evse('Power', 0, { dataType: 'decimal', unit: 'W', maxLimit: limitW, live: powerW, monitored: true }),
    evse('CurrentLimit', 32, { others: { Target: '32', MinSet: '6', MaxSet: '32' }, ...amps }),
    connector('AvailabilityState', 'Available', states),
    connector('PhaseRotation', phaseRotation),
    evse('ACPhaseSwitchingSupported', true),
    connector('ConnectorType', 'cType2', CONSTANT),
  ]
}
