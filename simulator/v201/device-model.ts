/** The variables of a 2.0.1 station: what GetVariables, SetVariables and GetBaseReport talk about. */

export interface VariableName {
  readonly component: { readonly name: string; readonly evse?: { readonly id: number } }
  readonly variable: { readonly name: string; readonly instance?: string }
}

interface Variable extends VariableName {
  value: string
  readonly mutability: 'ReadOnly' | 'WriteOnly' | 'ReadWrite'
  readonly dataType: 'string' | 'integer' | 'boolean' | 'OptionList' | 'MemberList'
}

export type VariableStatus =
  | 'Accepted'
  | 'Rejected'
  | 'UnknownComponent'
  | 'UnknownVariable'
  | 'NotSupportedAttributeType'

export interface DeviceModel {
  get(name: VariableName, attributeType: string): { readonly status: VariableStatus; readonly value?: string }
  set(name: VariableName, attributeType: string, value: string): VariableStatus
  /** `reportData` of NotifyReport: everything, or what the components and variables asked for match. */
  report(matches?: (name: VariableName) => boolean): readonly Readonly<Record<string, unknown>>[]
}

export interface DeviceModelStart {
  readonly evses: number
  readonly sampleIntervalSeconds: number
  readonly messageAttempts: number
  readonly messageRetrySeconds: number
}

export function createDeviceModel(start: DeviceModelStart): DeviceModel {
  const { evses, sampleIntervalSeconds } = start
  const variables: Variable[] = [
    station('OCPPCommCtrlr', 'HeartbeatInterval', '300', 'ReadWrite', 'integer'),
    station('OCPPCommCtrlr', 'WebSocketPingInterval', '30', 'ReadWrite', 'integer'),
    station(
      'OCPPCommCtrlr',
      'MessageAttempts',
      String(start.messageAttempts),
      'ReadWrite',
      'integer',
      'TransactionEvent',
    ),
    station(
      'OCPPCommCtrlr',
      'MessageAttemptInterval',
      String(start.messageRetrySeconds),
      'ReadWrite',
      'integer',
      'TransactionEvent',
    ),
    station('OCPPCommCtrlr', 'MessageTimeout', '30', 'ReadWrite', 'integer', 'Default'),
    station('OCPPCommCtrlr', 'OfflineThreshold', '60', 'ReadWrite', 'integer'),
    station('OCPPCommCtrlr', 'NetworkConfigurationPriority', '0', 'ReadWrite', 'string'),
    station('TxCtrlr', 'TxStartPoint', 'Authorized', 'ReadWrite', 'MemberList'),
    station('TxCtrlr', 'TxStopPoint', 'Authorized', 'ReadWrite', 'MemberList'),
    station('TxCtrlr', 'EVConnectionTimeOut', '60', 'ReadWrite', 'integer'),
    station('TxCtrlr', 'StopTxOnInvalidId', 'true', 'ReadWrite', 'boolean'),
    station('SampledDataCtrlr', 'TxUpdatedInterval', String(sampleIntervalSeconds), 'ReadWrite', 'integer'),
    station('LocalAuthListCtrlr', 'Enabled', 'true', 'ReadWrite', 'boolean'),
    station('AuthCacheCtrlr', 'Enabled', 'true', 'ReadWrite', 'boolean'),
    station('AuthCtrlr', 'LocalAuthorizeOffline', 'true', 'ReadWrite', 'boolean'),
    station('AuthCtrlr', 'OfflineTxForUnknownIdEnabled', 'true', 'ReadWrite', 'boolean'),
    station('ReservationCtrlr', 'Enabled', 'true', 'ReadWrite', 'boolean'),
    station('SmartChargingCtrlr', 'Enabled', 'true', 'ReadWrite', 'boolean'),
    station('SmartChargingCtrlr', 'ProfileStackLevel', '10', 'ReadOnly', 'integer'),
    station('SmartChargingCtrlr', 'RateUnit', 'A,W', 'ReadOnly', 'MemberList'),
    station('SmartChargingCtrlr', 'PeriodsPerSchedule', '24', 'ReadOnly', 'integer'),
    station('DisplayMessageCtrlr', 'DisplayMessages', '0', 'ReadOnly', 'integer'),
    station('SecurityCtrlr', 'BasicAuthPassword', '', 'WriteOnly', 'string'),
    station('SecurityCtrlr', 'SecurityProfile', '1', 'ReadOnly', 'integer'),
    station('SecurityCtrlr', 'OrganizationName', 'Example', 'ReadWrite', 'string'),
    station('DeviceDataCtrlr', 'ItemsPerMessage', '50', 'ReadOnly', 'integer', 'GetVariables'),
    station('DeviceDataCtrlr', 'BytesPerMessage', '65536', 'ReadOnly', 'integer', 'GetVariables'),
    ...Array.from({ length: evses }, (_value, position): Variable => {
      const component = { name: 'EVSE', evse: { id: position + 1 } }
      return { component, variable: { name: 'SupplyPhases' }, value: '3', mutability: 'ReadOnly', dataType: 'integer' }
    }),
  ]
  const find = (name: VariableName) => variables.find((variable) => isSame(variable, name))
  const missing = (name: VariableName): VariableStatus =>
    variables.some((variable) => sameText(variable.component.name, name.component.name))
      ? 'UnknownVariable'
      : 'UnknownComponent'
  return {
    get(name, attributeType) {
      const variable = find(name)
      if (!variable) return { status: missing(name) }
      if (attributeType !== 'Actual') return { status: 'NotSupportedAttributeType' }
      if (variable.mutability === 'WriteOnly') return { status: 'Rejected' }
      return { status: 'Accepted', value: variable.value }
    },
    set(name, attributeType, value) {
      const variable = find(name)
      if (!variable) return missing(name)
      if (attributeType !== 'Actual') return 'NotSupportedAttributeType'
      if (variable.mutability === 'ReadOnly') return 'Rejected'
      if (variable.dataType === 'integer' && !/^\d+$/.test(value)) return 'Rejected'
      if (variable.dataType === 'boolean' && value !== 'true' && value !== 'false') return 'Rejected'
      variable.value = value
      return 'Accepted'
    },
    report: (matches = () => true) => variables.filter((variable) => matches(variable)).map(reportEntry),
  }
}

function station(
  component: string,
  name: string,
  value: string,
  mutability: Variable['mutability'],
  dataType: Variable['dataType'],
  instance?: string,
): Variable {
  const variable = { name, ...(instance !== undefined && { instance }) }
  return { component: { name: component }, variable, value, mutability, dataType }
}

function reportEntry(variable: Variable): Readonly<Record<string, unknown>> {
  return {
    component: variable.component,
    variable: variable.variable,
    variableAttribute: [
      { mutability: variable.mutability, ...(variable.mutability !== 'WriteOnly' && { value: variable.value }) },
    ],
    variableCharacteristics: { dataType: variable.dataType, supportsMonitoring: false },
  }
}

/** Component and variable names compare without case (2.0.1 identifiers of the device model are CiStrings). */
function isSame(a: VariableName, b: VariableName): boolean {
  return (
    sameText(a.component.name, b.component.name) &&
    a.component.evse?.id === b.component.evse?.id &&
    sameText(a.variable.name, b.variable.name) &&
    (b.variable.instance === undefined || sameText(a.variable.instance ?? '', b.variable.instance))
  )
}

function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
