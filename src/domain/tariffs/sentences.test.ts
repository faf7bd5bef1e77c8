import { expect, it } from 'vitest'
import type { TariffRates } from './fields.ts'
import { sentencesOf } from './sentences.ts'

const simple: TariffRates = {
  currency: 'EUR',
  perKwhMicros: 490_000,
  perMinuteMicros: 0,
  perSessionMicros: 350_000,
  idlePerMinuteMicros: 100_000,
}
const none = { ...simple, perKwhMicros: 0, perSessionMicros: 0, idlePerMinuteMicros: 0 }

it.each<[string, TariffRates, english: readonly string[], german: readonly string[]]>([
  [
    'simple prices',
    { ...simple, vat: 19 },
    [
      '0.49 EUR per kWh, plus 19 % VAT.',
      '0.35 EUR per charge, plus 19 % VAT.',
      '0.10 EUR more per minute once the vehicle takes no more, plus 19 % VAT.',
    ],
    [
      '0,49 EUR je kWh, zuzüglich 19 % Umsatzsteuer.',
      '0,35 EUR je Ladevorgang, zuzüglich 19 % Umsatzsteuer.',
      '0,10 EUR zusätzlich je Minute, in der das Fahrzeug nicht mehr lädt, zuzüglich 19 % Umsatzsteuer.',
    ],
  ],
  ['nothing', none, ['Free of charge.'], ['Kostenlos.']],
  [
    'elements, energy first',
    {
      ...none,
      taxIncluded: 'yes',
      maxPrice: { inclVatMicros: 10_000_000 },
      elements: [
        {
          priceComponents: [{ type: 'PARKING_TIME', priceMicros: 6_000_000, stepSize: 900 }],
          restrictions: { minDuration: 14_400, dayOfWeek: ['SATURDAY', 'SUNDAY'] },
        },
        {
          priceComponents: [{ type: 'ENERGY', priceMicros: 450_000, vat: 19, stepSize: 1 }],
          restrictions: { startTime: '08:00', endTime: '20:00', maxPower: 22.5 },
        },
        { priceComponents: [{ type: 'ENERGY', priceMicros: 0, stepSize: 1 }], restrictions: { minKwh: 5 } },
        {
          priceComponents: [{ type: 'TIME', priceMicros: 2_000_000, stepSize: 60 }],
          restrictions: { reservation: 'RESERVATION' },
        },
      ],
    },
    [
      '0.45 EUR per kWh from 08:00 to 20:00 below 22.5 kW, including 19 % VAT.',
      'Free per kWh from 5 kWh.',
      '6.00 EUR per hour in which the vehicle takes nothing on Saturday, Sunday from 240 minutes, in steps of 15 minutes, including VAT.',
      '2.00 EUR per hour of the reservation, in steps of 60 s, including VAT.',
      'At most 10.00 EUR with VAT.',
    ],
    [
      '0,45 EUR je kWh von 08:00 bis 20:00 Uhr unter 22,5 kW, inklusive 19 % Umsatzsteuer.',
      'Kostenlos je kWh ab 5 kWh.',
      '6,00 EUR je Stunde, in der das Fahrzeug nicht lädt am Samstag, Sonntag ab 240 Minuten, in Schritten von 15 Minuten, inklusive Umsatzsteuer.',
      '2,00 EUR je Stunde der Reservierung, in Schritten von 60 s, inklusive Umsatzsteuer.',
      'Höchstens 10,00 EUR mit Umsatzsteuer.',
    ],
  ],
])('TARIFF-A3: %s in sentences', (_, tariff, english, german) => {
  expect(sentencesOf(tariff, 'en')).toEqual(english)
  expect(sentencesOf(tariff, 'de')).toEqual(german)
})
