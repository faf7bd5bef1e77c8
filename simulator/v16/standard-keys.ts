/** The configuration keys of this station (1.6 §9 and the security whitepaper). */
import type { CommandTarget } from '../commands/target.ts'
import { MEASURANDS } from '../model/station-rules.ts'
import { MAX_CHAIN_LENGTH, MAX_ROOTS } from '../security/certificates.ts'
import type { KeyDeclaration } from './configuration.ts'

export function standardKeys(target: CommandTarget): readonly KeyDeclaration[] {
  const { rules, network, messageRetries, limits, cards } = target
  const yes = { value: 'true', dataType: 'boolean' } as const
  const whole = { dataType: 'integer', minLimit: 0 } as const
  const fixed = { ...whole, readonly: true } as const
  const measurands = (list: readonly string[]) =>
    ({ value: list.join(','), dataType: 'MemberList', valuesList: MEASURANDS }) as const
  const phases = target.outlets.map(({ connectorId, phaseRotation }) => `${connectorId}.${phaseRotation}`).join(',')
  return [
    { key: 'HeartbeatInterval', value: '300', ...whole, effect: 'heartbeatInterval' },
    {
      key: 'MeterValueSampleInterval',
      value: String(target.sampleIntervalSeconds),
      ...whole,
      effect: 'sampleInterval',
    },
    { key: 'MeterValuesSampledData', ...measurands(rules.sampledMeasurands), effect: 'sampledMeasurands' },
    { key: 'MeterValuesAlignedData', ...measurands(rules.alignedMeasurands), effect: 'alignedMeasurands' },
    { key: 'StopTxnSampledData', ...measurands(rules.endedMeasurands.sampled), effect: 'endedMeasurands' },
    { key: 'StopTxnAlignedData', ...measurands(rules.endedMeasurands.aligned), effect: 'alignedEndedMeasurands' },
    { key: 'ClockAlignedDataInterval', value: '0', ...whole, maxLimit: 86_400, effect: 'alignedInterval' },
    { key: 'LocalPreAuthorize', ...yes, value: 'false', effect: 'localPreAuthorise' },
    { key: 'StopTransactionOnEVSideDisconnect', ...yes, effect: 'stopOnDisconnect' },
    { key: 'UnlockConnectorOnEVSideDisconnect', ...yes, dataType: 'OptionList', valuesList: ['true'] },
    { key: 'ConnectorPhaseRotation', value: phases, readonly: true },
    { key: 'ResetRetries', value: '0', ...fixed },
    { key: 'ConnectionTimeOut', value: '60', ...whole, effect: 'connectionTimeout' },
    { key: 'AuthorizeRemoteTxRequests', ...yes, value: 'false', effect: 'authoriseRemoteStart' },
    { key: 'StopTransactionOnInvalidId', ...yes, effect: 'stopOnInvalidId' },
    { key: 'TransactionMessageAttempts', value: String(messageRetries.attempts), ...whole, effect: 'messageAttempts' },
    {
      key: 'TransactionMessageRetryInterval',
      value: String(messageRetries.intervalSeconds),
      ...whole,
      effect: 'messageRetryInterval',
    },
    { key: 'LocalAuthListEnabled', ...yes, effect: 'listEnabled' },
    { key: 'AuthorizationCacheEnabled', ...yes, effect: 'cacheEnabled' },
    { key: 'LocalAuthorizeOffline', ...yes, effect: 'knownOffline' },
    { key: 'AllowOfflineTxForUnknownId', ...yes, effect: 'unknownOffline' },
    { key: 'LocalAuthListMaxLength', value: String(cards.list.rules.mostEntries), ...fixed },
    { key: 'SendLocalListMaxLength', value: String(cards.list.rules.mostPerMessage), ...fixed },
    { key: 'ReserveConnectorZeroSupported', value: 'true', readonly: true },
    { key: 'CustomDisplayCostAndPrice', value: 'true', readonly: true },
    { key: 'ChargeProfileMaxStackLevel', value: String(limits.rules.highestStackLevel), ...fixed },
    {
      key: 'ChargingScheduleAllowedChargingRateUnit',
      value: limits.rules.units.map((unit) => (unit === 'A' ? 'Current' : 'Power')).join(','),
      readonly: true,
    },
    { key: 'ChargingScheduleMaxPeriods', value: String(limits.rules.mostPeriods), ...fixed },
    { key: 'MaxChargingProfilesInstalled', value: String(limits.rules.mostProfiles), ...fixed },
    { key: 'ConnectorSwitch3to1PhaseSupported', value: 'true', readonly: true },
    { key: 'CpoName', value: rules.organization, maxLimit: 255, effect: 'organization' },
    { key: 'WebSocketPingInterval', value: '0', ...whole, effect: 'pingInterval' },
    { key: 'LightIntensity', value: '80', ...whole, maxLimit: 100, needsReboot: true },
    { key: 'NumberOfConnectors', value: String(target.outlets.length), ...fixed },
    { key: 'GetConfigurationMaxKeys', value: '50', ...fixed },
    {
      key: 'SupportedFeatureProfiles',
      value: 'Core,FirmwareManagement,LocalAuthListManagement,Reservation,SmartCharging,RemoteTrigger',
      readonly: true,
    },
    { key: 'SupportedFileTransferProtocols', value: 'HTTP,HTTPS', readonly: true },
    {
      key: 'SecurityProfile',
      value: '1',
      dataType: 'integer',
      live: () => String(network.present.securityProfile),
      effect: 'securityProfile',
    },
    { key: 'CertificateSignedMaxChainSize', value: String(MAX_CHAIN_LENGTH), ...fixed },
    { key: 'CertificateStoreMaxLength', value: String(MAX_ROOTS), ...fixed },
    { key: 'AuthorizationKey', value: '', secret: true, minLimit: 16, maxLimit: 40, effect: 'password' },
    { key: 'SampledDataSignReadings', ...yes, value: String(rules.signsReadings), effect: 'signReadings' },
    {
      key: 'PublicKeyWithSignedMeterValue',
      value: 'EveryMeterValue',
      dataType: 'OptionList',
      valuesList: ['Never', 'OncePerTransaction', 'EveryMeterValue'],
      effect: 'publicKeyWithReadings',
    },
    { key: 'MeterPublicKey1', value: '', readonly: true, live: target.meterPublicKey },
  ]
}
