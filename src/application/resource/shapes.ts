/** What the fields that hold several values are in requests and answers, and how they are stored (`json` fields). */
import { z } from '@hono/zod-openapi'
import { WEEKDAYS } from '../../domain/tariffs/elements.ts'
import { amount, fromMillionths, millionths } from '../schemas/charge-limits.ts'

const MAX_ELEMENTS = 100

const percent = z
  .number()
  .min(0)
  .max(100)
  .refine((value) => Math.abs(value * 1e4 - Math.round(value * 1e4)) < 1e-6, 'must have at most four decimals')
  .openapi({ description: 'Per cent. At most four decimals.' })
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day such as 08:30')
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
    startDate: z.iso.date().optional(),
    endDate: z.iso.date().optional().openapi({ description: 'Not included.' }),
    minKwh: more('Kilowatt-hours that were taken before.'),
    maxKwh: more('Kilowatt-hours that were taken before.'),
    minCurrent: more('Amperes, the sum of all phases.'),
    maxCurrent: more('Amperes, the sum of all phases.'),
    minPower: more('Kilowatts.'),
    maxPower: more('Kilowatts.'),
    minDuration: seconds('Seconds since the begin of the charge.'),
    maxDuration: seconds('Seconds since the begin of the charge.'),
    dayOfWeek: z.array(z.enum(WEEKDAYS)).max(7).optional(),
    reservation: z.enum(['RESERVATION', 'RESERVATION_EXPIRES']).optional(),
  })
  .openapi('TariffRestrictions', { description: 'All that are given hold. Times and dates are local.' })

const LIMITS = [
  ['startDate', 'endDate'],
  ['minKwh', 'maxKwh'],
  ['minCurrent', 'maxCurrent'],
  ['minPower', 'maxPower'],
  ['minDuration', 'maxDuration'],
] as const

const elementSchema = z
  .strictObject({
    priceComponents: z.array(componentSchema).min(1).max(10),
    restrictions: restrictionsSchema.optional(),
  })
  .superRefine(({ priceComponents, restrictions = {} }, context) => {
    const fault = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    const { reservation, startTime, endTime } = restrictions
    priceComponents.forEach(({ type }, at) => {
      const isOfCharge = type === 'ENERGY' || type === 'PARKING_TIME'
      if (reservation && isOfCharge) fault(['priceComponents', at, 'type'], 'of a reservation must be FLAT or TIME')
      const before = priceComponents.findIndex((one) => one.type === type)
      if (before < at) fault(['priceComponents', at, 'type'], 'stands in this element already')
    })
    const isEmpty = startTime !== undefined && startTime === endTime && endTime !== '00:00'
    if (isEmpty) fault(['restrictions', 'endTime'], 'must differ from startTime')
    for (const [least, most] of LIMITS) {
      const [from, below] = [restrictions[least], restrictions[most]]
      const never = from !== undefined && below !== undefined && from >= below
      if (never) fault(['restrictions', most], `must be more than ${least}, or the element never matches`)
    }
  })
  .openapi('TariffElement')

const limitSchema = z
  .strictObject({ exclVat: more('Without VAT.'), inclVat: more('With VAT.') })
  .refine((limit) => Object.keys(limit).length > 0, 'must have exclVat, inclVat, or both')
  .openapi('PriceLimit')
const altText = z.strictObject({ language: z.string().regex(/^[a-z]{2}$/), text: z.string().min(1).max(512) })

export const SHAPES = {
  tariffElements: z.array(elementSchema).min(1).max(MAX_ELEMENTS),
  priceLimit: limitSchema,
  percent,
  altText: z.array(altText).min(1).max(20),
} as const

/** Kept in micro-units, under a name that says so. */
const AMOUNTS: ReadonlySet<string> = new Set(['price', 'exclVat', 'inclVat'])
const SUFFIX = 'Micros'

export function jsonToStored(shown: unknown): unknown {
  return eachMember(shown, (name, value) =>
    AMOUNTS.has(name) ? [name + SUFFIX, millionths(value as number)] : [name, jsonToStored(value)],
  )
}

export function jsonToShown(stored: unknown): unknown {
  return eachMember(stored, (name, value) =>
    name.endsWith(SUFFIX)
      ? [name.slice(0, -SUFFIX.length), fromMillionths(value as number)]
      : [name, jsonToShown(value)],
  )
}

function eachMember(value: unknown, renamed: (name: string, value: unknown) => readonly [string, unknown]): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => eachMember(one, renamed))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => renamed(name, member)))
}
