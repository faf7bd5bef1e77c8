/** The forms of a location and of an EVSE, as bodies of the API: each field is declared with its member. */
import type { ShownLocation } from '../../domain/locations/shown.ts'
import { WORDS } from '../../domain/locations/vocabulary.ts'
import type { Frame } from '../../web/entries.tsx'
import { labelsOf } from '../kit/filters.ts'
import { asOptions, type Field, type Fields, typedNumber } from '../kit/form.tsx'

const label = labelsOf('locations')

interface Member {
  /** `outer/inner` for a member within a member. */
  readonly name: string
  readonly label: (frame: Frame) => string
  readonly hint?: (frame: Frame) => string
  /** Unless it is a text, or one of `of`. */
  readonly kind?: 'number' | 'flag' | 'list'
  /** What is to choose from. */
  readonly of?: readonly string[]
  readonly required?: true
  /** Of a new one. */
  readonly value?: string
}
type Rows = readonly (readonly Member[])[]
type Members = Readonly<Record<string, unknown>>

const member = (name: Parameters<typeof label>[0], own: Partial<Member> = {}): Member => ({
  name,
  label: label(name),
  ...own,
})
const needed = { required: true } as const
const number = { kind: 'number', ...needed } as const

const LOCATION: Rows = [
  [member('name')],
  [member('address', needed)],
  [member('postalCode'), member('city', needed)],
  [member('country', { ...needed, hint: label('countryHint') }), member('timeZone', needed)],
  [
    member('latitude', { name: 'coordinates/latitude', ...number }),
    member('longitude', { name: 'coordinates/longitude', ...number }),
  ],
  (['operator', 'suboperator', 'owner'] as const).map((name) => member(name, { name: `${name}/name` })),
  [member('helpPhone')],
  [member('accessibility')],
  [member('parkingType', { of: WORDS.parkingTypes })],
  [member('facilities', { kind: 'list', of: WORDS.facilities })],
  [member('allDay', { name: 'openingTimes/twentyfourseven', kind: 'flag' })],
  [member('green', { name: 'energyMix/isGreenEnergy', kind: 'flag' })],
  [member('publish', { kind: 'flag' })],
]

const EVSE: Rows = [
  [member('evseId', { hint: label('evseIdHint') })],
  [member('chargePoint', { name: 'evseControllerId' }), member('ocppEvseId', { kind: 'number' })],
]

const CONNECTOR: Rows = [
  [
    member('standard', { of: WORDS.standards, value: 'IEC_62196_T2', ...needed }),
    member('format', { of: WORDS.formats, ...needed }),
    member('powerType', { of: WORDS.powerTypes, value: 'AC_3_PHASE', ...needed }),
  ],
  [member('maxVoltage', number), member('maxAmperage', number), member('maxElectricPower', { kind: 'number' })],
  [member('tariffIds', { kind: 'list', hint: label('tariffHint') })],
]

export function locationFields(frame: Frame, location?: ShownLocation): Fields {
  return fieldsOf(frame, LOCATION, membersOf(location))
}

export function evseFields(frame: Frame): Fields {
  return fieldsOf(frame, [...EVSE, ...CONNECTOR], {})
}

/** What the form does not have stays as it is; `null` is what was emptied. */
export function locationBody(form: URLSearchParams, before?: ShownLocation): Members {
  const body = bodyOf(form, LOCATION, membersOf(before))
  const { openingTimes } = body as Partial<ShownLocation['facts']>
  const isUnsaid = openingTimes && !openingTimes.twentyfourseven && !openingTimes.regularHours
  return { ...(before ? body : withoutNull(body)), ...(isUnsaid && { openingTimes: null }) }
}

export function evseBody(form: URLSearchParams): Members {
  const connector = { connectorId: '1', ...withoutNull(bodyOf(form, CONNECTOR, {})) }
  return { ...withoutNull(bodyOf(form, EVSE, {})), connectors: [connector] }
}

function membersOf(location: ShownLocation | undefined): Members {
  return location ? { ...location.facts, publish: location.publish } : {}
}

function within(of: Members, name: string): unknown {
  return name.split('/').reduce<unknown>((inner, step) => (inner as Members | undefined)?.[step], of)
}

function fieldsOf(frame: Frame, rows: Rows, before: Members): Fields {
  const fieldOf = ({ name, label: labelOf, hint, kind, of, required, value: first }: Member): Field => {
    const own = { name, label: labelOf(frame), hint: hint?.(frame), required }
    const value = within(before, name)
    if (kind === 'flag') return { ...own, tick: true, value: value === true ? 'yes' : undefined }
    if (kind === 'list' && of) return { ...own, ticks: { of, names: {}, ticked: value as readonly string[] } }
    const shown = value === undefined ? first : String(value)
    if (of) return { ...own, options: [...(required ? [] : [['', '–'] as const]), ...asOptions(of)], value: shown }
    return { ...own, value: shown, inputmode: kind === 'number' ? 'decimal' : undefined }
  }
  return rows.map((row) => ({ beside: row.length > 1, fields: row.map(fieldOf) }))
}

function bodyOf(form: URLSearchParams, rows: Rows, before: Members): Members {
  const body: Record<string, unknown> = {}
  for (const { name, kind, of } of rows.flat()) {
    const [outer = '', inner] = name.split('/')
    const value = kind ? TYPED[kind](form, name, of) : form.get(name)?.trim() || null
    if (inner === undefined || (kind === undefined && value === null)) body[outer] = value
    // What was never said is not denied by leaving it unticked.
    else if (kind !== 'flag' || value !== (within(before, name) ?? false)) {
      body[outer] = { ...(before[outer] ?? {}), ...(body[outer] ?? {}), [inner]: value ?? undefined }
    }
  }
  return body
}

const TYPED = {
  flag: (form: URLSearchParams, name: string) => form.has(name),
  number: (form: URLSearchParams, name: string) => typedNumber(form, name) ?? null,
  list(form: URLSearchParams, name: string, of: readonly string[] | undefined) {
    const items = of ? form.getAll(name) : (form.get(name) ?? '').split(',').flatMap((item) => item.trim() || [])
    return items.length > 0 ? items : null
  },
}

function withoutNull(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
