import { expect, it } from 'vitest'
import type { Protocol } from '../domain/ports/core.ts'
import type { Payload } from './translate/payload.ts'
import { versions } from './versions.ts'

function capabilityOf(protocol: Protocol, method: string, request: Payload = {}): string | undefined {
  return versions[protocol].toChargePoint[method]?.capability(request)
}

const setting = (component: string, variable: string, attributeType?: string) => ({
  component: { name: component },
  variable: { name: variable },
  attributeValue: 'x',
  ...(attributeType && { attributeType }),
})

it('OIDC-C11: control is start, stop, unlock and availability, in either version', () => {
  expect(
    Object.keys(versions['ocpp1.6'].toChargePoint).filter((method) => capabilityOf('ocpp1.6', method) === 'control'),
  ).toEqual(['ChangeAvailability', 'RemoteStartTransaction', 'RemoteStopTransaction', 'UnlockConnector'])
  expect(
    Object.keys(versions['ocpp2.0.1'].toChargePoint).filter(
      (method) => capabilityOf('ocpp2.0.1', method) === 'control',
    ),
  ).toEqual(['RequestStartTransaction', 'RequestStopTransaction', 'UnlockConnector', 'ChangeAvailability'])
})

it.each([
  'AuthorizationKey',
  'authorizationkey',
  ' AuthorizationKey ',
  'Authorization Key',
  'SecurityProfile',
  'CentralSystemURL',
  'OcppServerAddress',
  'ChargeBoxIdentity',
  'Vendor-WiFi-Password',
])('OIDC-C11: ChangeConfiguration of %j is about the connection', (key) => {
  expect(capabilityOf('ocpp1.6', 'ChangeConfiguration', { key, value: 'x' })).toBe('connection')
})

it.each([
  ['SecurityCtrlr', 'BasicAuthPassword', undefined],
  ['securityctrlr', 'BASICAUTHPASSWORD', 'Target'],
  ['SecurityCtrlr', 'SecurityProfile', undefined],
  ['SecurityCtrlr', 'Identity', undefined],
  ['OCPPCommCtrlr', 'NetworkConfigurationPriority', undefined],
  ['OCPPCommCtrlr', 'ActiveNetworkProfile', undefined],
  ['NetworkConfiguration', 'Slot', undefined],
  ['VendorCtrlr', 'CsmsUrl', undefined],
])('OIDC-C11: SetVariables of %s.%s is about the connection wherever it stands', (component, name, type) => {
  const harmless = setting('OCPPCommCtrlr', 'HeartbeatInterval')
  const setVariableData = [harmless, setting(component, name, type), harmless]
  expect(capabilityOf('ocpp2.0.1', 'SetVariables', { setVariableData })).toBe('connection')
  expect(capabilityOf('ocpp2.0.1', 'SetVariables', { setVariableData: setVariableData[1] })).toBe('connection')
})

it('OIDC-C11: other keys and variables are configuration, and a network profile never is', () => {
  const keys = ['HeartbeatInterval', 'MeterValueSampleInterval', 'WebSocketPingInterval', 'ConnectionTimeOut']
  for (const key of keys) expect(capabilityOf('ocpp1.6', 'ChangeConfiguration', { key })).toBe('configuration')
  const setVariableData = [setting('OCPPCommCtrlr', 'HeartbeatInterval'), setting('TxCtrlr', 'EVConnectionTimeOut')]
  expect(capabilityOf('ocpp2.0.1', 'SetVariables', { setVariableData })).toBe('configuration')
  expect(capabilityOf('ocpp2.0.1', 'SetNetworkProfile')).toBe('connection')
})

it.each([
  ['ocpp1.6', 'RemoteStartTransaction'],
  ['ocpp2.0.1', 'RequestStartTransaction'],
] as const)('OIDC-C11: %s %s may limit its own transaction and nothing else', (protocol, method) => {
  const withProfile = (chargingProfile: unknown) => capabilityOf(protocol, method, { chargingProfile })
  expect(withProfile({ chargingProfilePurpose: 'TxProfile' })).toBe('control')
  for (const profile of [
    { chargingProfilePurpose: 'TxProfile', transactionId: 7 },
    { chargingProfilePurpose: 'ChargePointMaxProfile' },
    { chargingProfilePurpose: 'ChargingStationMaxProfile' },
    { chargingProfilePurpose: 'TxDefaultProfile' },
    { chargingProfilePurpose: 'txprofile' },
    {},
    null,
    'TxProfile',
    [{ chargingProfilePurpose: 'TxProfile' }],
  ]) {
    expect(withProfile(profile), JSON.stringify(profile)).toBe('limits')
  }
})

it('OIDC-C11: what a vendor makes of customData is nobody’s to share', () => {
  for (const request of [
    { customData: { vendorId: 'v' } },
    { idToken: { idToken: 'A', customData: { vendorId: 'v' } } },
    { chargingProfile: { chargingProfilePurpose: 'TxProfile', chargingSchedule: [{ customData: {} }] } },
  ]) {
    expect(capabilityOf('ocpp2.0.1', 'RequestStartTransaction', request)).toBe('account')
  }
  expect(capabilityOf('ocpp2.0.1', 'RequestStartTransaction', { idToken: { idToken: 'customData' } })).toBe('control')
})
