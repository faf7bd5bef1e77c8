import type { CommandTarget } from '../commands/target.ts'
import { CURRENCY, MAX_ELEMENTS } from '../model/payment/tariffs.ts'
import { component, type VariableDeclaration } from '../v201/device-model/variable.ts'

const LIMITS = ['maxCost', 'maxEnergy', 'maxTime', 'maxSoC']
const URL_TEMPLATE = 'https://pay.example.com/?station={chargingstationid}&evse={evse}&totp={totp}&v={version}'

/** What a 2.1 station has besides, or in place of, the variables of 2.0.1. */
export function variables21({ behaviour }: CommandTarget): readonly VariableDeclaration[] {
  const fixed = { mutability: 'ReadOnly' } as const
  const limits = behaviour.capitalLimits ? LIMITS.map((name) => `M${name.slice(1)}`) : LIMITS
  const [costs, web] = [component('TariffCostCtrlr', fixed), component('WebPaymentsCtrlr')]
  return [
    component('SmartChargingCtrlr')('SupportsDynamicProfiles', true, fixed),
    component('TxCtrlr')('SupportedLimits', limits, fixed),
    costs('Currency', CURRENCY, { maxLimit: 3 }),
    costs('MaxElements', MAX_ELEMENTS, { instance: 'Tariff' }),
    costs('ConditionsSupported', false, { instance: 'Tariff' }),
    web('Enabled', true),
    web('URLTemplate', URL_TEMPLATE, { maxLimit: 1000 }),
    web('URLParameters', 'maxtime,maxenergy,maxcost'),
    web('TOTPVersion', 'v1', fixed),
    web('ValidityTime', 30, { unit: 's', minLimit: 6, maxLimit: 3600 }),
    web('Length', 8, { minLimit: 6, maxLimit: 32 }),
    web('SharedSecret', 'MySharedSecret', { mutability: 'WriteOnly', minLimit: 1, maxLimit: 255 }),
  ]
}
