/** The configuration keys of this station (1.6 §9 and the security whitepaper). */
import type { CommandTarget } from '../commands/target.ts'
import { MEASURANDS } from '../model/station-rules.ts'
import { type Given, typed } from '../model/value-rules.ts'
import { MAX_CHAIN_LENGTH, MAX_ROOTS } from '../security/certificates.ts'
import type { KeyDeclaration } from './configuration.ts'

const WHOLE = { minLimit: 0 } as const
const FIXED = { readonly: true } as const

export function standardKeys(target: CommandTarget): readonly KeyDeclaration[] {
  const { rules, network, limits, cards } = target
  const { attempts, intervalSeconds } = target.messageRetries
  const { highestStackLevel, mostPeriods, mostProfiles, units } = limits.rules
  const phases = target.outlets.map(({ connectorId, phaseRotation }) => `${connectorId}.${phaseRotation}`)
  const rateUnits = units.map((unit) => (unit === 'A' ? 'Current' : 'Power'))
  const any = { valuesList: MEASURANDS }
  return [
    key('HeartbeatInterval', 300, { ...WHOLE, effect: 'heartbeatInterval' }),
    key('MeterValueSampleInterval', target.sampleIntervalSeconds, { ...WHOLE, effect: 'sampleInterval' }),
    key('MeterValuesSampledData', rules.sampledMeasurands, { ...any, effect: 'sampledMeasurands' }),
    key('MeterValuesAlignedData', rules.alignedMeasurands, { ...any, effect: 'alignedMeasurands' }),
    key('StopTxnSampledData', rules.endedMeasurands.sampled, { ...any, effect: 'endedMeasurands' }),
    key('StopTxnAlignedData', rules.endedMeasurands.aligned, { ...any, effect: 'alignedEndedMeasurands' }),
    key('ClockAlignedDataInterval', 0, { ...WHOLE, maxLimit: 86_400, effect: 'alignedInterval' }),
    key('LocalPreAuthorize', false, { effect: 'localPreAuthorise' }),
    key('StopTransactionOnEVSideDisconnect', true, { effect: 'stopOnDisconnect' }),
    key('UnlockConnectorOnEVSideDisconnect', true, { dataType: 'OptionList', valuesList: ['true'] }),
    key('ConnectorPhaseRotation', phases, FIXED),
    key('ResetRetries', 0, FIXED),
    key('ConnectionTimeOut', 60, { ...WHOLE, effect: 'connectionTimeout' }),
    key('AuthorizeRemoteTxRequests', false, { effect: 'authoriseRemoteStart' }),
    key('StopTransactionOnInvalidId', true, { effect: 'stopOnInvalidId' }),
    key('TransactionMessageAttempts', attempts, { ...WHOLE, effect: 'messageAttempts' }),
    key('TransactionMessageRetryInterval', intervalSeconds, { ...WHOLE, effect: 'messageRetryInterval' }),
    key('LocalAuthListEnabled', true, { effect: 'listEnabled' }),
    key('AuthorizationCacheEnabled', true, { effect: 'cacheEnabled' }),
    key('LocalAuthorizeOffline', true, { effect: 'knownOffline' }),
    key('AllowOfflineTxForUnknownId', true, { effect: 'unknownOffline' }),
    key('LocalAuthListMaxLength', cards.list.rules.mostEntries, FIXED),
    key('SendLocalListMaxLength', cards.list.rules.mostPerMessage, FIXED),
    key('ReserveConnectorZeroSupported', true, FIXED),
    key('CustomDisplayCostAndPrice', true, FIXED),
    key('ChargeProfileMaxStackLevel', highestStackLevel, FIXED),
    key('ChargingScheduleAllowedChargingRateUnit', rateUnits, FIXED),
    key('ChargingScheduleMaxPeriods', mostPeriods, FIXED),
    key('MaxChargingProfilesInstalled', mostProfiles, FIXED),
    key('ConnectorSwitch3to1PhaseSupported', true, FIXED),
    key('CpoName', rules.organization, { maxLimit: 255, effect: 'organization' }),
    key('WebSocketPingInterval', 0, { ...WHOLE, effect: 'pingInterval' }),
    key('LightIntensity', 80, { ...WHOLE, maxLimit: 100, needsReboot: true }),
    key('NumberOfConnectors', target.outlets.length, FIXED),
    key('GetConfigurationMaxKeys', 50, FIXED),
    key('SupportedFeatureProfiles', FEATURES, FIXED),
    key('SupportedFileTransferProtocols', ['HTTP', 'HTTPS'], FIXED),
    key('SecurityProfile', 1, { live: () => String(network.present.securityProfile), effect: 'securityProfile' }),
    key('CertificateSignedMaxChainSize', MAX_CHAIN_LENGTH, FIXED),
    key('CertificateStoreMaxLength', MAX_ROOTS, FIXED),
    key('AuthorizationKey', '', { secret: true, minLimit: 16, maxLimit: 40, effect: 'password' }),
    key('SampledDataSignReadings', rules.signsReadings, { effect: 'signReadings' }),
    key('PublicKeyWithSignedMeterValue', 'EveryMeterValue', {
      dataType: 'OptionList',
      valuesList: ['Never', 'OncePerTransaction', 'EveryMeterValue'],
      effect: 'publicKeyWithReadings',
    }),
    key('MeterPublicKey1', '', { readonly: true, live: target.meterPublicKey }),
  ]
}

const FEATURES = 'Core,FirmwareManagement,LocalAuthListManagement,Reservation,SmartCharging,RemoteTrigger'

function key(name: string, value: Given, facts: Partial<Omit<KeyDeclaration, 'key' | 'value'>> = {}): KeyDeclaration {
  return { key: name, ...typed(value), ...facts }
}
