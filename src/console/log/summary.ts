/** One line of a message, in words (CONSOLE-C10): where, what, and what the answer was. */
import { parsedJson } from '../../domain/parsed-json.ts'
import type { Command } from '../../domain/ports/storage-records.ts'
import { isVirtualIdToken } from '../../domain/sessions/orders/virtual-id-token.ts'
import { isObject } from '../../ocpp/translate/payload.ts'
import { MAX_IN_UNIT, scaled, shownFigure } from '../../web/figures.tsx'
import type { Language } from '../../web/texts.ts'
import { wordsIn } from '../kit/parts.tsx'
import LINES from './message-lines.json' with { type: 'json' }

interface MessageSummary {
  readonly parts: readonly string[]
  readonly answer?: string
  /** It was refused, or not answered as requested. */
  readonly isRefused: boolean
  readonly isFault: boolean
}

type Said = Pick<Command, 'direction' | 'method' | 'request' | 'response' | 'error' | 'status'>

export function summaryOf(message: Said, language: Language): MessageSummary {
  const words = summaryWords(language)
  const { direction, method, request, response, error } = message
  const payload = payloadOf(request)
  const table = direction === 'in' ? FROM_STATION : TO_STATION
  const summary = Object.hasOwn(table, method) ? table[method] : undefined
  const said = payload ? (summary ?? plain)(payload, words) : [words.tooLong(request.length)]
  const answer = error ? word({ ...error }, 'code') : answerOf(payloadOf(response))
  return {
    parts: said.filter((part): part is string => part !== undefined && part !== ''),
    answer,
    isRefused: error !== undefined || (answer !== undefined && isRefusal(answer)),
    isFault: payload !== undefined && method === 'StatusNotification' && isFaulted(payload),
  }
}

const MAX_MEMBERS = 3

const plain: Summary = (payload) =>
  Object.keys(payload)
    .slice(0, MAX_MEMBERS)
    .map((name) => {
      const value = word(payload, name)
      return value === undefined ? undefined : `${word({ name }, 'name') ?? ''}=${value}`
    })

function answerOf(answer: Payload | undefined): string | undefined {
  if (!answer) return undefined
  const card = word(inside(answer, 'idTagInfo'), 'status') ?? word(inside(answer, 'idTokenInfo'), 'status')
  const results = ['setVariableResult', 'getVariableResult', 'setMonitoringResult'].flatMap((name) =>
    list(answer, name).flatMap((result) => word(result, 'attributeStatus') ?? word(result, 'status') ?? []),
  )
  return word(answer, 'status') ?? card ?? results.find(isRefusal) ?? results[0]
}

const REFUSALS = new Set(
  `rejected blocked invalid expired concurrenttx unknown nocredit notallowedtypeevse notatthislocation notatthistime
  notsupported notimplemented failed faulted occupied unavailable unlockfailed ongoingauthorizedtransaction
  unknownconnector unknownmessageid unknownvendorid unknowncomponent unknownvariable notsupportedattributetype
  versionmismatch emptyresultset notfound invalidcertificate revokedcertificate idmismatch duplicate
  error signatureerror notsupportedmessageformat languagenotsupported`.split(/\s+/),
)

function isRefusal(status: string): boolean {
  return REFUSALS.has(status.toLowerCase())
}

function isFaulted(payload: Payload): boolean {
  const status = word(payload, 'status') ?? word(payload, 'connectorStatus')
  return status?.toLowerCase() === 'faulted'
}

type Texts = readonly (string | undefined)[]
type Summary = (payload: Payload, words: SummaryTexts) => Texts
type Part = (payload: Payload, words: SummaryTexts) => string | Texts | undefined

/** The first that is there, where versions differ: `connectorId|evse.connectorId`. */
function at(payload: Payload, paths: string): string | undefined {
  for (const path of paths.split('|')) {
    const [name = '', ...groups] = path.split('.').toReversed()
    const found = word(inside(payload, ...groups.toReversed()), name)
    if (found !== undefined) return found
  }
  return undefined
}

const place: Part = (payload, words) => {
  const evseId = at(payload, 'evseId|evse.id')
  const connectorId = at(payload, 'connectorId|evse.connectorId')
  if (evseId === undefined) {
    if (connectorId === undefined) return undefined
    return connectorId === '0' ? words.station : `${words.connector} ${connectorId}`
  }
  if (evseId === '0') return words.station
  return connectorId === undefined ? `EVSE ${evseId}` : `EVSE ${evseId} ${words.connector} ${connectorId}`
}

function named(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${name} ${value}`
}

/** What we made for a remote start belongs to no card. */
const card: Part = (payload, words) => {
  const id = at(payload, 'idTag|idToken.idToken|idToken')
  return named(id !== undefined && isVirtualIdToken(id) ? words.virtualCard : words.card, id)
}

const transaction: Part = (payload, words) =>
  named(words.transaction, at(payload, 'transactionId|transactionInfo.transactionId'))

const fault: Part = (payload) => {
  const [errorCode, state] = [at(payload, 'errorCode'), at(payload, 'status|connectorStatus')]
  return errorCode === undefined || errorCode === 'NoError' ? state : `${state ?? ''}: ${errorCode}`
}

const event: Part = (payload, words) => {
  const events = list(payload, 'eventData')
  const shown = events.slice(0, 2).map((one) => `${variable(one)} = ${word(one, 'actualValue') ?? ''}`)
  return [...shown, events.length > 2 ? words.items(events.length) : undefined]
}

const profile: Part = (payload) => {
  const of = inside(payload, 'csChargingProfiles' in payload ? 'csChargingProfiles' : 'chargingProfile')
  const [schedule = {}] = Array.isArray(of.chargingSchedule)
    ? list(of, 'chargingSchedule')
    : [inside(of, 'chargingSchedule')]
  const [period = {}] = list(schedule, 'chargingSchedulePeriod')
  const limit = word(period, 'limit')
  return [
    word(of, 'chargingProfilePurpose'),
    limit === undefined ? undefined : `${limit} ${word(schedule, 'chargingRateUnit') ?? ''}`.trimEnd(),
  ]
}

const samples: Part = (payload, words) => samplesIn(list(payload, 'meterValue'), words)

function seconds(path: string): Part {
  return (payload) => {
    const value = at(payload, path)
    return value === undefined ? undefined : `${value} s`
  }
}

function meter(path: string): Part {
  return (payload, words) => {
    const value = at(payload, path)
    return value === undefined ? undefined : `${words.meter} ${words.figure(value, 'Wh')}`
  }
}

const setting: Part = (payload) => `${at(payload, 'key') ?? '?'} = ${at(payload, 'value') ?? ''}`.trimEnd()

function texts(name: string): Part {
  return (payload) => {
    const value = payload[name]
    const shown = Array.isArray(value) ? value.slice(0, 4).flatMap((text) => word({ text }, 'text') ?? []) : []
    return shown.length === 0 ? undefined : `${shown.join(', ')}${Array.isArray(value) && value.length > 4 ? ' …' : ''}`
  }
}

/** `Component.Variable`, as settings of 2.0.1 are named. */
function variable(item: Payload): string {
  return `${at(item, 'component.name') ?? '?'}.${at(item, 'variable.name') ?? '?'}`
}

function variables(name: string, shownOf: (item: Payload) => string = variable): Part {
  return (payload) => {
    const all = list(payload, name).map(shownOf)
    return all.length === 0 ? undefined : `${all.slice(0, 3).join(', ')}${all.length > 3 ? ' …' : ''}`
  }
}

function assignment(item: Payload): string {
  return `${variable(item)} = ${at(item, 'attributeValue') ?? ''}`.trimEnd()
}

/** What message-lines.json calls them, such as `@place` and `@items:reportData`. */
const PARTS: Readonly<Record<string, (of: string) => Part>> = {
  '@place': () => place,
  '@card': () => card,
  '@transaction': () => transaction,
  '@fault': () => fault,
  '@event': () => event,
  '@profile': () => profile,
  '@samples': () => samples,
  '@setting': () => setting,
  '@meter': meter,
  '@number': (paths) => (payload) => named('#', at(payload, paths)),
  '@seconds': seconds,
  '@items': (name) => (payload, words) => words.items(list(payload, name).length),
  '@texts': texts,
  '@variables': variables,
  '@assignments': (name) => variables(name, assignment),
}

/** What each message says, in words; both versions, since they hardly share a name. Other parts are paths. */
function summaries(lines: Readonly<Record<string, string>>): Readonly<Record<string, Summary>> {
  const partOf = (declared: string): Part => {
    const [name = '', of = ''] = declared.split(':')
    return PARTS[name]?.(of) ?? ((payload) => at(payload, declared))
  }
  return Object.fromEntries(
    Object.entries(lines).map(([method, line]): [string, Summary] => {
      const parts = line === '' ? [] : line.split(' ').map(partOf)
      return [method, (payload, words) => parts.flatMap((part) => part(payload, words))]
    }),
  )
}

export const FROM_STATION = summaries(LINES.in)
export const TO_STATION = summaries(LINES.out)

type SummaryTexts = ReturnType<typeof summaryWords>

/** In this order; the last value of each, in total rather than of a phase. */
const MEASURANDS: readonly (readonly [name: string, unit: string])[] = [
  ['Energy.Active.Import.Register', 'Wh'],
  ['Power.Active.Import', 'W'],
  ['Current.Import', 'A'],
  ['SoC', '%'],
]

const UNITS: Readonly<Record<string, string>> = { Percent: '%' }

function samplesIn(meterValues: readonly Payload[], words: SummaryTexts): readonly string[] {
  const samples = meterValues.flatMap((value) => list(value, 'sampledValue'))
  return MEASURANDS.flatMap(([name, usual]) => {
    const said = samples.filter((sample) => (word(sample, 'measurand') ?? 'Energy.Active.Import.Register') === name)
    const shown = said.findLast((sample) => word(sample, 'phase') === undefined) ?? said.at(-1)
    const value = shown && word(shown, 'value')
    if (!shown || value === undefined) return []
    const unitOfMeasure = inside(shown, 'unitOfMeasure')
    const unit = word(shown, 'unit') ?? word(unitOfMeasure, 'unit') ?? usual
    const power = word(unitOfMeasure, 'multiplier')
    const shownUnit = UNITS[unit] ?? unit
    const isPlain = power === undefined || power === '0'
    return [isPlain ? words.figure(value, shownUnit) : `${value} ×10^${power} ${shownUnit}`]
  })
}

const summaryWords = (language: Language) => ({
  ...wordsIn('messageSummaries', { language }),
  figure: figureIn(language),
})

const PLAIN = /^-?\d{1,15}(?:\.(\d{1,6}))?$/
const POWER_OR_ENERGY = /^(k?)(Wh?)$/

const figureIn =
  (language: Language) =>
  (value: string, unit: string): string => {
    const plain = PLAIN.exec(value)
    if (!plain) return `${value} ${unit}`
    const amount = Number(value)
    const [, kilo, base] = POWER_OR_ENERGY.exec(unit) ?? []
    if (Math.abs(amount) >= MAX_IN_UNIT && base !== undefined) {
      const { figure, unit: larger } = scaled({ language }, kilo ? amount : amount / 1000, base as 'W' | 'Wh')
      return `${figure} ${larger}`
    }
    return `${shownFigure({ language }, amount, plain[1]?.length)} ${unit}`
  }

// Looking into what a station wrote: whatever stands there, nothing breaks and nothing grows long.

type Payload = Readonly<Record<string, unknown>>

/** Longer payloads are not parsed for a line of summary. */
const MAX_READ_LENGTH = 100_000
const MAX_WORD_LENGTH = 60

function payloadOf(json: string | undefined): Payload | undefined {
  if (json === undefined || json.length > MAX_READ_LENGTH) return undefined
  const value = parsedJson(json)
  return isObject(value) ? value : undefined
}

function inside(payload: Payload, ...path: readonly string[]): Payload {
  let at: unknown = payload
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  return isObject(at) ? at : {}
}

function list(payload: Payload, name: string): readonly Payload[] {
  const value = Object.hasOwn(payload, name) ? payload[name] : undefined
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** A text, number or yes and no, on one line and short; undefined for anything else and for nothing. */
function word(payload: Payload, name: string): string | undefined {
  const value = Object.hasOwn(payload, name) ? payload[name] : undefined
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const line = String(value)
    .slice(0, 4 * MAX_WORD_LENGTH)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
  if (line === '') return undefined
  return line.length > MAX_WORD_LENGTH ? `${line.slice(0, MAX_WORD_LENGTH - 1).trimEnd()}…` : line
}
