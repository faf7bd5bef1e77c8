import type { CommandTarget } from '../commands/target.ts'
import { CURRENCY, MAX_ELEMENTS } from '../model/payment/tariffs.ts'
import type { VariableDeclaration } from '../v201/device-model/variable.ts'

const LIMITS = ['maxCost', 'maxEnergy', 'maxTime', 'maxSoC']
const URL_TEMPLATE = 'https://pay.example.com/?station={chargingstationid}&evse={evse}&totp={totp}&v={version}'

/** What a 2.1 station has besides, or in place of, the variables of 2.0.1. */
export function variables21({ behaviour }: CommandTarget): readonly VariableDeclaration[] {
  const fixed = { mutability: 'ReadOnly' } as const
  const limits = behaviour.capitalLimits ? LIMITS.map((name) => `M${name.slice(1)}`) : LIMITS
  const tariff = { component: 'TariffCostCtrlr', instance: 'Tariff', ...fixed } as const
  const web = { component: 'WebPaymentsCtrlr' } as const
  const boolean = { dataType: 'boolean', value: 'true' } as const
  const whole = { dataType: 'integer' } as const
  return [
    { component: 'SmartChargingCtrlr', variable: 'SupportsDynamicProfiles', ...fixed, ...boolean },
    {
      component: 'TxCtrlr',
      variable: 'SupportedLimits',
      ...fixed,
      value: limits.join(','),
      dataType: 'MemberList',
      valuesList: limits,
    },
    { component: 'TariffCostCtrlr', variable: 'Currency', ...fixed, value: CURRENCY, maxLimit: 3 },
    { ...tariff, variable: 'MaxElements', ...whole, value: String(MAX_ELEMENTS) },
    { ...tariff, variable: 'ConditionsSupported', dataType: 'boolean', value: 'false' },
    { ...web, variable: 'Enabled', ...boolean },
    { ...web, variable: 'URLTemplate', value: URL_TEMPLATE, maxLimit: 1000 },
    { ...web, variable: 'URLParameters', value: 'maxtime,maxenergy,maxcost' },
    { ...web, variable: 'TOTPVersion', ...fixed, value: 'v1' },
    { ...web, variable: 'ValidityTime', ...whole, value: '30', unit: 's', minLimit: 6, maxLimit: 3600 },
    { ...web, variable: 'Length', ...whole, value: '8', minLimit: 6, maxLimit: 32 },
    { ...web, variable: 'SharedSecret', value: 'MySharedSecret', mutability: 'WriteOnly', minLimit: 1, maxLimit: 255 },
  ]
}
