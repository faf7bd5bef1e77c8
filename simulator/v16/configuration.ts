/** The settings of a 1.6 station (configuration keys). 2.0.1 stations have device-model.ts. */

export interface ConfigurationKey {
  readonly value: string
  readonly readonly: boolean
  readonly secret?: true
}

export type SetResult = 'Accepted' | 'Rejected' | 'NotSupported'

export interface Configuration {
  /** Keys without their secrets; unknown names apart. An empty list asks for all. */
  read(keys: readonly string[]): {
    readonly configurationKey: readonly { key: string; readonly: boolean; value?: string }[]
    readonly unknownKey: readonly string[]
  }
  set(key: string, value: string): SetResult
}

export interface ConfigurationStart {
  readonly connectors: number
  readonly sampleIntervalSeconds: number
  readonly messageAttempts: number
  readonly messageRetrySeconds: number
}

export function createConfiguration(start: ConfigurationStart): Configuration {
  const keys = new Map<string, ConfigurationKey>(
    Object.entries({
      HeartbeatInterval: { value: '300', readonly: false },
      MeterValueSampleInterval: { value: String(start.sampleIntervalSeconds), readonly: false },
      MeterValuesSampledData: {
        value: 'Energy.Active.Import.Register,Power.Active.Import,SoC,Current.Import,Voltage',
        readonly: false,
      },
      ConnectionTimeOut: { value: '60', readonly: false },
      AuthorizeRemoteTxRequests: { value: 'false', readonly: false },
      StopTransactionOnInvalidId: { value: 'true', readonly: false },
      TransactionMessageAttempts: { value: String(start.messageAttempts), readonly: false },
      TransactionMessageRetryInterval: { value: String(start.messageRetrySeconds), readonly: false },
      LocalAuthListEnabled: { value: 'true', readonly: false },
      AuthorizationCacheEnabled: { value: 'true', readonly: false },
      LocalAuthorizeOffline: { value: 'true', readonly: false },
      AllowOfflineTxForUnknownId: { value: 'true', readonly: false },
      LocalAuthListMaxLength: { value: '1000', readonly: true },
      SendLocalListMaxLength: { value: '100', readonly: true },
      ChargeProfileMaxStackLevel: { value: '10', readonly: true },
      ChargingScheduleAllowedChargingRateUnit: { value: 'Current,Power', readonly: true },
      ChargingScheduleMaxPeriods: { value: '24', readonly: true },
      MaxChargingProfilesInstalled: { value: '20', readonly: true },
      CpoName: { value: 'Example', readonly: false },
      WebSocketPingInterval: { value: '30', readonly: false },
      NumberOfConnectors: { value: String(start.connectors), readonly: true },
      GetConfigurationMaxKeys: { value: '50', readonly: true },
      SupportedFeatureProfiles: {
        value: 'Core,FirmwareManagement,LocalAuthListManagement,Reservation,SmartCharging,RemoteTrigger',
        readonly: true,
      },
      SecurityProfile: { value: '1', readonly: true },
      AuthorizationKey: { value: '', readonly: false, secret: true },
    }),
  )
  return {
    read(wanted) {
      const names = wanted.length > 0 ? wanted : [...keys.keys()]
      const known = names.flatMap((name) => {
        const key = keys.get(name)
        return key ? [{ key: name, readonly: key.readonly, ...(!key.secret && { value: key.value }) }] : []
      })
      return { configurationKey: known, unknownKey: names.filter((name) => !keys.has(name)) }
    },
    set(name, value) {
      const key = keys.get(name)
      if (!key) return 'NotSupported'
      if (key.readonly || (isNumber(key.value) && !isNumber(value))) return 'Rejected'
      if (isBoolean(key.value) && !isBoolean(value)) return 'Rejected'
      if (key.secret && value.length < 16) return 'Rejected'
      keys.set(name, { ...key, value })
      return 'Accepted'
    },
  }
}

function isBoolean(value: string): boolean {
  return value === 'true' || value === 'false'
}

function isNumber(value: string): boolean {
  return /^\d+$/.test(value)
}
