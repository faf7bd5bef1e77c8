/** What the fields that hold several values are in requests and answers, and how they are stored (`json` fields). */
import { z } from '@hono/zod-openapi'
import type { PriceComponent, PriceLimit, TariffElement } from '../../domain/tariffs/elements.ts'
import { amount, fromMillionths, millionths } from '../schemas/charge-limits.ts'

export interface JsonShape {
  readonly schema: z.ZodType
  readonly toStored: (value: never) => unknown
  readonly toShown: (stored: never) => unknown
}

const MAX_ELEMENTS = 100
const MAX_COMPONENTS = 10
const MAX_PERCENT = 100

const percent = z
  .number()
  .min(0)
  .max(MAX_PERCENT)
  .refine((value) => Math.abs(value * 1e4 - Math.round(value * 1e4)) < 1e-6, 'must have at most four decimals')
  .openapi({ description: 'Per cent. At most four decimals.' })
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day such as 08:30')
const date = z.iso.date()
const more = (description: string) => amount(description).optional()
const seconds = (description: string) =>
  z
    .int()
    .min(0)
    .max(366 * 86_400)
    .optional()
    .openapi({ description })

const componentSchema = z
  .strictObject({
    type: z.enum(['ENERGY', 'FLAT', 'TIME', 'PARKING_TIME']),
    price: amount('Per kilowatt-hour, per hour, or once.'),
    vat: percent.optional(),
    stepSize: z.int().min(1).max(1_000_000).default(1).openapi({ description: 'Watt-hours or seconds.' }),
  })
  .openapi('PriceComponent')

const restrictionsSchema = z
  .strictObject({
    startTime: timeOfDay.optional(),
    endTime: timeOfDay.optional().openapi({ description: 'Not included; 00:00 is the end of the day.' }),
    startDate: date.optional(),
    endDate: date.optional().openapi({ description: 'Not included.' }),
    minKwh: more('Kilowatt-hours that were taken before.'),
    maxKwh: more('Kilowatt-hours that were taken before.'),
    minCurrent: more('Amperes, the sum of all phases.'),
    maxCurrent: more('Amperes, the sum of all phases.'),
    minPower: more('Kilowatts.'),
    maxPower: more('Kilowatts.'),
    minDuration: seconds('Seconds since the begin of the charge.'),
    maxDuration: seconds('Seconds since the begin of the charge.'),
    dayOfWeek: z
      .array(z.enum(['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']))
      .max(7)
      .optional(),
    reservation: z.enum(['RESERVATION', 'RESERVATION_EXPIRES']).optional(),
  })
  .openapi('TariffRestrictions', { description: 'All that are given hold. Times and dates are local.' })

const elementSchema = z
  .strictObject({
    priceComponents: z.array(componentSchema).min(1).max(MAX_COMPONENTS),
    restrictions: restrictionsSchema.optional(),
  })
  .superRefine(({ priceComponents, restrictions: { reservation, startTime, endTime } = {} }, context) => {
    const fault = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    priceComponents.forEach(({ type }, at) => {
      const isOfCharge = type === 'ENERGY' || type === 'PARKING_TIME'
      if (reservation && isOfCharge) fault(['priceComponents', at, 'type'], 'of a reservation must be FLAT or TIME')
      const before = priceComponents.findIndex((one) => one.type === type)
      if (before < at) fault(['priceComponents', at, 'type'], 'stands in this element already')
    })
    const isEmpty = startTime !== undefined && startTime === endTime && endTime !== '00:00'
    if (isEmpty) fault(['restrictions', 'endTime'], 'must differ from startTime')
  })
  .openapi('TariffElement')

type ShownElement = z.output<typeof elementSchema>

const limitSchema = z.strictObject({ exclVat: more('Without VAT.'), inclVat: more('With VAT.') }).openapi('PriceLimit')

const same = <T>(value: T): T => value
const component = ({ price, ...rest }: ShownElement['priceComponents'][number]): PriceComponent => ({
  ...rest,
  priceMicros: millionths(price),
})

export const SHAPES: Readonly<Record<'tariffElements' | 'priceLimit' | 'percent' | 'altText', JsonShape>> = {
  tariffElements: {
    schema: z.array(elementSchema).min(1).max(MAX_ELEMENTS),
    toStored: (elements: readonly ShownElement[]): readonly TariffElement[] =>
      elements.map(({ priceComponents, ...rest }) => ({ priceComponents: priceComponents.map(component), ...rest })),
    toShown: (elements: readonly TariffElement[]) =>
      elements.map(({ priceComponents, ...rest }) => ({
        priceComponents: priceComponents.map(({ type, priceMicros, ...one }) => ({
          type,
          price: fromMillionths(priceMicros),
          ...one,
        })),
        ...rest,
      })),
  },
  priceLimit: {
    schema: limitSchema,
    toStored: ({ exclVat, inclVat }: z.output<typeof limitSchema>): PriceLimit => ({
      ...(exclVat !== undefined && { exclVatMicros: millionths(exclVat) }),
      ...(inclVat !== undefined && { inclVatMicros: millionths(inclVat) }),
    }),
    toShown: ({ exclVatMicros, inclVatMicros }: PriceLimit) => ({
      ...(exclVatMicros !== undefined && { exclVat: fromMillionths(exclVatMicros) }),
      ...(inclVatMicros !== undefined && { inclVat: fromMillionths(inclVatMicros) }),
    }),
  },
  percent: { schema: percent, toStored: same, toShown: same },
  altText: {
    schema: z
      .array(z.strictObject({ language: z.string().regex(/^[a-z]{2}$/), text: z.string().min(1).max(512) }))
      .min(1)
      .max(20),
    toStored: same,
    toShown: same,
  },
}
