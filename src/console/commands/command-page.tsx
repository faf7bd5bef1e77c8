import { type Language, LOCALES } from '../../application/words/in-languages.ts'
import { parsedJson } from '../../domain/parsed-json.ts'
import type { Connectivity, Protocol } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView, ConnectorView } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import { type Schema, schemaOf } from '../../ocpp/schema/schemas.ts'
import type { Payload } from '../../ocpp/translate/payload.ts'
import { isProtocol, protocolName, versions } from '../../ocpp/versions.ts'
import { type OptionPair, Page } from '../../web/entries.tsx'
import { Title } from '../../web/parts/table.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import type { ConsoleSite } from '../console-parts.ts'
import { asOptions, type Field, type FieldGroup, Form, type FormFault, faultsAt } from '../kit/form.tsx'
import { type PageTexts, wordsIn } from '../kit/parts.tsx'
import { chargePointPath } from '../paths.ts'
import type { Visit } from '../visit.tsx'
import examples from './examples.json' with { type: 'json' }

/** Any command of the station's version: first which one, then its fields (CONSOLE-A10). */
export async function commandPage(
  visit: Visit,
  view: ChargePointView,
  form: URLSearchParams,
  faults: readonly FormFault[] = [],
) {
  const { frame, context } = visit
  const { id } = view
  const found = await versionOf(visit.site, view)
  const protocol = 'protocol' in found ? found.protocol : undefined
  const words = wordsIn('chargePoints', frame)
  const path = chargePointPath(frame, id)
  const method = form.get('method') ?? ''
  const fields = protocol && requestFields(protocol, method, frame.language)
  return (
    <Page frame={frame} title={words.anyCommand}>
      <Title
        text={words.anyCommand}
        up={[
          [`${frame.root}/charge-points`, frame.texts.stations],
          [path, id],
        ]}
      />
      {protocol === undefined ? (
        <p class="card">{words.never}</p>
      ) : (
        <form class="card inline" method="get" action={`${path}/command`}>
          <label>
            {words.command} ({protocolName(protocol)}){' '}
            <select name="method">
              {Object.keys(versions[protocol].toChargePoint)
                .toSorted()
                .map((name) => (
                  <option value={name} selected={name === method}>
                    {name}
                  </option>
                ))}
            </select>
          </label>
          <button type="submit">{words.choose}</button>
        </form>
      )}
      {fields && (
        <Form
          visit={visit}
          action={actionOf(context)}
          to={`${path}/command`}
          title={method}
          typed={{ form, faults: faultsAt(faults) }}
          refused={words.notSent}
          once
          fields={[
            ...fields.map((field) => declared(field, words)),
            {
              folded: { title: words.asJson, open: (form.get(JSON_FIELD) ?? '') !== '' },
              fields: [{ name: JSON_FIELD, label: 'JSON', hint: words.asJsonHint, lines: true }],
            },
          ]}
          submit={words.send}
        >
          <input type="hidden" name="method" value={method} />
        </Form>
      )}
    </Page>
  )
}

function declared(field: RequestField, words: PageTexts<'chargePoints'>): Field | FieldGroup {
  const { pointer, name, kind, required, description, example, options, maxLength, fields } = field
  const label = required ? `${name} (${words.required})` : name
  if (kind === 'group') return { legend: label, hint: description, fields: fields.map((one) => declared(one, words)) }
  const offered = kind === 'boolean' ? ['true', 'false'] : kind === 'choice' ? options : undefined
  const leftOut: readonly OptionPair[] = required ? [] : [['', words.leaveOut]]
  return {
    name: pointer,
    label,
    hint: [`${description ?? ''} ${kind === 'list' ? words.listHint : ''} ${words.example}: `, <code>{example}</code>],
    options: offered && [...leftOut, ...asOptions(offered)],
    lines: kind === 'list' || (maxLength ?? 0) > 500,
    maxlength: maxLength,
    inputmode: kind === 'number' ? 'decimal' : undefined,
  }
}

/** A command as a form: one field per member of its schema, which judges the whole before it is sent (CONSOLE-A10). */
export interface RequestField {
  /** JSON pointer into the request; also the name of the field. */
  readonly pointer: string
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'time' | 'list' | 'group'
  readonly required: boolean
  readonly description?: string
  readonly example: string
  readonly options: readonly string[]
  readonly maxLength?: number
  readonly fields: readonly RequestField[]
}

export function requestFields(
  protocol: Protocol,
  method: string,
  language: Language = 'en',
): readonly RequestField[] | undefined {
  if (!Object.hasOwn(versions[protocol].toChargePoint, method)) return undefined
  const schema = schemaOf(protocol, method, 'req')
  return schema && membersOf({ schema, method, language }, schema, '')
}

interface Whole {
  readonly schema: Schema
  readonly method: string
  readonly language: Language
}

function membersOf(whole: Whole, schema: Schema, path: string): readonly RequestField[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => name !== 'customData')
    .map(([name, member]) => fieldOf(whole, `${path}/${name}`, name, schema, member))
}

function fieldOf(whole: Whole, pointer: string, name: string, parent: Schema, named: Schema): RequestField {
  const schema = resolved(whole.schema, named)
  const description =
    plain(named.description ?? schema.description) ?? descriptionOf(whole.method, pointer, whole.language)
  const kind = kindOf(schema)
  return {
    pointer,
    name,
    kind,
    required: parent.required?.includes(name) ?? false,
    description,
    example:
      kind === 'group' ? '' : shownExample(EXAMPLES[whole.method + pointer] ?? exampleOf(whole.schema, schema, name)),
    options: schema.enum ?? [],
    maxLength: schema.maxLength,
    fields: kind === 'group' ? membersOf(whole, schema, pointer) : [],
  }
}

/** Where the official schema is silent: of a field of this command, or of any field with its name. */
function descriptionOf(method: string, pointer: string, language: Language): string | undefined {
  const known: Readonly<Record<string, string>> = LOCALES[language].commandFields
  return [method + pointer, pointer.split('/').at(-1) ?? ''].flatMap((key) =>
    Object.hasOwn(known, key) ? [known[key]] : [],
  )[0]
}

function kindOf({ enum: options, type, format }: Schema): RequestField['kind'] {
  if (options) return 'choice'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'array') return 'list'
  if (type === 'object') return 'group'
  return format === 'date-time' ? 'time' : 'text'
}

function resolved(whole: Schema, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return (name !== undefined && whole.definitions?.[name]) || schema
}

/** What stations usually take, by command and field or by the name of the field; another name says what it is. */
const EXAMPLES: Readonly<Record<string, unknown>> = examples

function exampleOf(whole: Schema, schema: Schema, name: string): unknown {
  const known = EXAMPLES[name]
  if (known !== undefined && typeof known === (schema.type === 'string' ? 'string' : 'number')) return known
  switch (kindOf(schema)) {
    case 'choice':
      return schema.enum?.[0]
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'time':
      return '2026-01-31T12:00:00Z'
    case 'list':
      return [exampleOf(whole, resolved(whole, schema.items ?? {}), name)]
    case 'group': {
      const members = Object.entries(schema.properties ?? {}).filter(([member]) => schema.required?.includes(member))
      return Object.fromEntries(members.map(([key, member]) => [key, exampleOf(whole, resolved(whole, member), key)]))
    }
    default:
      return name
  }
}

function shownExample(example: unknown): string {
  return typeof example === 'object' ? JSON.stringify(example) : String(example ?? '')
}

const MAX_DESCRIPTION_LENGTH = 300

/** The schemas carry marks of the model that they were made from. */
function plain(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const words = text
    .replaceAll(/urn:\S+/g, ' ')
    .replaceAll(/<<[^,>]*,([^>]*)>>|&lt;&lt;[^,&]*,([^&]*)&gt;&gt;/g, '$1$2')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (words === '') return undefined
  return words.length > MAX_DESCRIPTION_LENGTH ? `${words.slice(0, MAX_DESCRIPTION_LENGTH)}…` : words
}

interface ReadRequest {
  readonly request: Payload
  readonly faults: readonly FormFault[]
}

const JSON_FIELD = 'json'

export function readRequest(protocol: Protocol, method: string, form: URLSearchParams): ReadRequest {
  const whole = (form.get(JSON_FIELD) ?? '').trim()
  const { request, faults } = whole === '' ? fromFields(requestFields(protocol, method) ?? [], form) : fromJson(whole)
  return faults.length > 0
    ? { request, faults }
    : { request, faults: versions[protocol].validateRequest(method, request) }
}

function fromJson(text: string): ReadRequest {
  const value = parsedJson(text)
  const isPayload = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isPayload
    ? { request: value as Payload, faults: [] }
    : { request: {}, faults: [{ pointer: `/${JSON_FIELD}`, message: 'is no JSON object' }] }
}

function fromFields(fields: readonly RequestField[], form: URLSearchParams): ReadRequest {
  const faults: FormFault[] = []
  const object = (members: readonly RequestField[]): Record<string, unknown> =>
    Object.fromEntries(
      members.flatMap((field) => {
        const value = field.kind === 'group' ? group(field) : leaf(field)
        return value === undefined ? [] : [[field.name, value] as const]
      }),
    )
  const group = ({ required, fields: members }: RequestField): unknown => {
    const value = object(members)
    return required || !Object.values(value).every(isNothing) ? value : undefined
  }
  const leaf = ({ pointer, kind, name }: RequestField): unknown => {
    const text = (form.get(pointer) ?? '').trim()
    if (text === '') return undefined
    if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
    if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
    if (kind !== 'list') return text
    const value = parsedJson(text)
    if (!Array.isArray(value)) faults.push({ pointer, message: `is no list, such as ["${name}"]` })
    return value
  }
  return { request: object(fields), faults }
}

/** A group that must be there within one that need not: nothing was typed into either. */
function isNothing(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isNothing)
}

/** What may be done at a connector now (CONSOLE-A9). */
interface Legal {
  readonly start: boolean
  readonly session?: Session
  readonly unlock: boolean
  readonly takeOut: boolean
  readonly putBack: boolean
}

interface Station {
  readonly view: ChargePointView
  readonly live?: Connectivity | undefined
}

export function protocolOf({ view, live }: Station): Protocol | undefined {
  const protocol = live?.protocol ?? view.status.protocol
  return isProtocol(protocol) ? protocol : undefined
}

export async function versionOf({ core }: ConsoleSite, view: ChargePointView) {
  const [live] = await core.connectivity([view.id])
  const protocol = protocolOf({ view, live })
  if (protocol) return { protocol, online: live?.online ?? false }
  const detail = 'The charge point has never connected, so its OCPP version is not known.'
  return refuse(409, 'charge_point_offline', detail)
}

export function legalAt(station: Station, connector: ConnectorView, open: readonly Session[]): Legal {
  const { view } = station
  const status = connector.status.toLowerCase()
  const session = sessionAt(connector, open)
  const isOutlet = connector.connectorId > 0 || (connector.evseId ?? 0) > 0
  const ready = protocolOf(station) !== undefined && view.registrationStatus === 'Accepted' && !view.disabled
  const booted = ready && view.status.bootedAt !== undefined
  const usable = status !== 'faulted' && status !== 'unavailable'
  return {
    start: booted && isOutlet && usable && session === undefined,
    session,
    unlock: booted && isOutlet,
    takeOut: booted && status !== 'unavailable',
    putBack: booted && status === 'unavailable',
  }
}

export function sessionAt(connector: ConnectorView, open: readonly Session[]): Session | undefined {
  return open.find((one) => isAt(one, connector))
}

/** 2.0.1 charges at an EVSE, 1.6 at a connector. */
function isAt(session: Session, { evseId, connectorId }: ConnectorView): boolean {
  if (evseId !== undefined && session.evseId !== undefined) return session.evseId === evseId
  return session.connectorId === connectorId && connectorId > 0
}
