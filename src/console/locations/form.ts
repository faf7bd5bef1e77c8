/** The forms of a location and of an EVSE, as bodies of the API. */
import type { LocationConnector } from '../../domain/locations/records.ts'
import type { ShownLocation } from '../../domain/locations/shown.ts'
import {
  CONNECTOR_FORMATS,
  CONNECTOR_STANDARDS,
  FACILITIES,
  PARKING_TYPES,
  POWER_TYPES,
} from '../../domain/locations/vocabulary.ts'
import type { Frame } from '../../web/entries.tsx'
import { asOptions, type Fields, filledIn, typedNumber, withoutAbsent } from '../kit/form.tsx'
import { locationTexts } from '../kit/parts.tsx'

const TEXTS = ['name', 'address', 'postalCode', 'city', 'country', 'timeZone', 'helpPhone', 'accessibility'] as const
const BUSINESSES = ['operator', 'suboperator', 'owner'] as const
const NO_CHOICE = [['', '–']] as const

export function locationFields(frame: Frame, location: ShownLocation | undefined): Fields {
  const words = locationTexts(frame)
  const { facts, publish } = location ?? {}
  const text = (name: (typeof TEXTS)[number], required = false) => ({
    name,
    label: words[name],
    value: facts?.[name],
    required,
  })
  const degrees = (name: 'latitude' | 'longitude') => ({
    name: `coordinates/${name}`,
    label: words[name],
    value: facts && String(facts.coordinates[name]),
    inputmode: 'decimal' as const,
    required: true,
  })
  return [
    text('name'),
    text('address', true),
    { beside: true, fields: [text('postalCode'), text('city', true)] },
    { beside: true, fields: [{ ...text('country', true), hint: words.countryHint }, text('timeZone', true)] },
    { beside: true, fields: [degrees('latitude'), degrees('longitude')] },
    {
      beside: true,
      fields: BUSINESSES.map((name) => ({ name: `${name}/name`, label: words[name], value: facts?.[name]?.name })),
    },
    text('helpPhone'),
    text('accessibility'),
    {
      name: 'parkingType',
      label: words.parkingType,
      options: [...NO_CHOICE, ...asOptions(PARKING_TYPES)],
      value: facts?.parkingType,
    },
    {
      name: 'facilities',
      label: words.facilities,
      ticks: { of: FACILITIES, names: {}, ticked: facts?.facilities },
    },
    { name: 'allDay', label: words.allDay, tick: true, value: ticked(facts?.openingTimes?.twentyfourseven) },
    { name: 'green', label: words.green, tick: true, value: ticked(facts?.energyMix?.isGreenEnergy) },
    { name: 'publish', label: words.publish, tick: true, value: ticked(publish) },
  ]
}

function ticked(value: boolean | undefined): string | undefined {
  return value ? 'on' : undefined
}

/** What the form does not have stays as it is. */
export function locationBody(form: URLSearchParams, before: ShownLocation | undefined): Record<string, unknown> {
  const texts = filledIn(form, TEXTS)
  const facilities = form.getAll('facilities')
  const { openingTimes, energyMix } = before?.facts ?? {}
  const isAllDay = form.has('allDay')
  const body = {
    ...Object.fromEntries(TEXTS.map((name) => [name, texts[name] ?? null])),
    ...Object.fromEntries(BUSINESSES.map((name) => [name, businessOf(form, name, before)])),
    coordinates: {
      latitude: typedNumber(form, 'coordinates/latitude'),
      longitude: typedNumber(form, 'coordinates/longitude'),
    },
    parkingType: form.get('parkingType') || null,
    facilities: facilities.length > 0 ? facilities : null,
    // Hours are kept unless what was ticked says otherwise.
    ...(isAllDay !== (openingTimes?.twentyfourseven ?? false) && {
      openingTimes: isAllDay ? { twentyfourseven: true } : null,
    }),
    ...(form.has('green') !== (energyMix?.isGreenEnergy ?? false) && {
      energyMix: { ...energyMix, isGreenEnergy: form.has('green') },
    }),
    publish: form.has('publish'),
  }
  return before ? body : Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
}

function businessOf(form: URLSearchParams, name: (typeof BUSINESSES)[number], before: ShownLocation | undefined) {
  const typed = form.get(`${name}/name`)?.trim() ?? ''
  return typed === '' ? null : { ...before?.facts[name], name: typed }
}

const EVSE_TEXTS = ['evseId', 'evseControllerId', 'physicalReference'] as const
const NUMBERS = ['maxVoltage', 'maxAmperage', 'maxElectricPower'] as const

export function evseFields(frame: Frame): Fields {
  const words = locationTexts(frame)
  const number = (name: (typeof NUMBERS)[number] | 'ocppEvseId') => ({
    name,
    label: words[name],
    inputmode: 'numeric' as const,
    required: name !== 'ocppEvseId' && name !== 'maxElectricPower',
  })
  return [
    { name: 'evseId', label: words.evseId, hint: words.evseIdHint },
    { beside: true, fields: [{ name: 'evseControllerId', label: words.chargePoint }, number('ocppEvseId')] },
    {
      beside: true,
      fields: [
        { name: 'standard', label: words.standard, options: asOptions(CONNECTOR_STANDARDS), value: 'IEC_62196_T2' },
        { name: 'format', label: words.format, options: asOptions(CONNECTOR_FORMATS) },
        { name: 'powerType', label: words.powerType, options: asOptions(POWER_TYPES), value: 'AC_3_PHASE' },
      ],
    },
    { beside: true, fields: NUMBERS.map(number) },
    { name: 'tariffIds', label: words.tariffIds, hint: words.tariffHint },
  ]
}

export function evseBody(form: URLSearchParams): object {
  const tariffIds = (form.get('tariffIds') ?? '').split(',').flatMap((id) => id.trim() || [])
  const connector: Partial<Record<keyof LocationConnector, unknown>> = {
    connectorId: '1',
    ...filledIn(form, ['standard', 'format', 'powerType']),
    ...Object.fromEntries(NUMBERS.map((name) => [name, typedNumber(form, name)])),
    ...(tariffIds.length > 0 && { tariffIds }),
  }
  const evse = { ...filledIn(form, EVSE_TEXTS), ocppEvseId: typedNumber(form, 'ocppEvseId') }
  return { ...withoutAbsent(evse), connectors: [withoutAbsent(connector)] }
}
