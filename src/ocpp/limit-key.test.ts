import { expect, it } from 'vitest'
import { mayHoldLimit } from './limit-key.ts'

it.each([
  ['MaxAmps', true],
  ['ChargeCurrent', true],
  ['EVSE.MaxCurrent', true],
  ['SmartChargingCtrlr.VendorLimitAmps', true],
  ['AuthorizationKey', false],
  ['authorizationkey ', false],
  ['CentralSystemURL', false],
  ['VendorBackendHost', false],
  ['HeartbeatInterval', false],
  [' heartbeatinterval', false],
  ['SecurityProfile', false],
  ['OCPPCommCtrlr.HeartbeatInterval', false],
  ['OCPPCommCtrlr.OfflineThreshold', false],
  ['SecurityCtrlr.BasicAuthPassword', false],
  ['AuthCtrlr.Enabled', false],
  ['UserPIN', false],
  ['RfidMasterKey', false],
  ['AuthKey', false],
  ['Pwd', false],
  ['BasicAuth', false],
  ['BackendAddr', false],
  ['KeypadMaxAmps', true],
])('CHARGING-S5: a limit is written to %j: %s', (key, may) => {
  expect(mayHoldLimit(key)).toBe(may)
})
