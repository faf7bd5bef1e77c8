/** The schemas as functions, each compiled on first use: that costs milliseconds, and there are 100 of them. */

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Protocol } from '../../domain/ports/core.ts'
import { PLAIN_TIME } from '../station-time.ts'
import { isObject, type Payload } from '../translate/payload.ts'
import { type Schema, type Side, schemaOf } from './schemas.ts'

/** `quick` stops at the first fault; `thorough` finds all; `outgoing`, for ours, also insists on RFC 3339 times. */
type Scrutiny = 'quick' | 'thorough' | 'outgoing'

interface TimeFormat {
  readonly validate: (text: string) => boolean
}

const ajvs = new Map<string, Ajv>()
const compiled = new Map<string, ValidateFunction>()

function ajvFor(protocol: Protocol, scrutiny: Scrutiny): Ajv {
  const key = `${protocol} ${scrutiny}`
  const known = ajvs.get(key)
  if (known) return known
  const ajv = new Ajv({
    strict: false,
    validateSchema: false,
    addUsedSchema: false,
    allErrors: scrutiny !== 'quick',
    // Limits have one decimal; 0.3 / 0.1 is not an integer in binary.
    multipleOfPrecision: 6,
  })
  // Times without a zone are common in the field and read by stationTime (OCPP-DR13); ours always have one.
  const { validate } = fullFormats[scrutiny === 'outgoing' ? 'date-time' : 'iso-date-time'] as TimeFormat
  ajv.addFormat('date-time', (text: string) => PLAIN_TIME.test(text) || validate(text))
  ajv.addFormat('uri', fullFormats.uri)
  ajvs.set(key, ajv)
  return ajv
}

/** Undefined: the version has no such message. */
export function validatorFor(
  protocol: Protocol,
  action: string,
  side: Side,
  scrutiny: Scrutiny,
): ValidateFunction | undefined {
  const key = `${protocol} ${scrutiny} ${side} ${action}`
  const known = compiled.get(key)
  if (known) return known
  const schema = schemaOf(protocol, action, side)
  if (!schema) return undefined
  // The ids (`urn:Heartbeat.req`) are no valid URNs, which newer URI parsers refuse; references are local anyway.
  const { $id: _id, ...anonymous } = schema
  const validate = ajvFor(protocol, scrutiny).compile(anonymous)
  compiled.set(key, validate)
  return validate
}

/** A hostile frame of a million wrong values must not become a million error objects. */
const THOROUGH_LIMIT = 2_000

/** Empty when valid. Only the first fault for very large payloads. */
export function faultsOf(protocol: Protocol, action: string, side: Side, payload: unknown): readonly ErrorObject[] {
  const validate = validatorFor(protocol, action, side, hasAtMost(payload, THOROUGH_LIMIT) ? 'thorough' : 'quick')
  if (!validate || validate(payload)) return []
  return validate.errors ?? []
}

/** Iterative, so that depth costs nothing. */
function hasAtMost(payload: unknown, limit: number): boolean {
  const open: unknown[] = [payload]
  for (let count = 0; open.length > 0; count++) {
    if (count + open.length > limit) return false
    const value = open.pop()
    if (typeof value === 'object' && value !== null) {
      const values: unknown[] = Array.isArray(value) ? value : Object.values(value)
      if (count + open.length + values.length > limit) return false
      open.push(...values)
    }
  }
  return true
}

/** OCPP-VA3: repairs that keep a message's meaning, guided by the schema. Times stay text (stationTime). */
type Definitions = Readonly<Record<string, Schema>>

/** The same object when nothing needs repair. Depth is bounded by the schema, not by the payload. */
export function repair(protocol: Protocol, action: string, payload: Payload, side: Side = 'req'): Payload {
  const schema = schemaOf(protocol, action, side)
  return schema ? repairObject(schema, payload, schema.definitions ?? {}) : payload
}

/** Undefined: the member is left out. */
function repairValue(schema: Schema, value: unknown, definitions: Definitions): unknown {
  const { type, enum: values, ...rest } = resolve(schema, definitions)
  if (value === null) return undefined
  if (values) return repairEnum(values, value)
  switch (type) {
    case 'object':
      return isObject(value) ? repairObject(rest, value, definitions) : value
    case 'array':
      return repairList(rest, value, definitions)
    case 'integer':
    case 'number':
      return numberFrom(value)
    case 'string':
      return repairText(rest, value)
    case 'boolean':
      return booleanFrom(value)
    default:
      return value
  }
}

function resolve(schema: Schema, definitions: Definitions): Schema {
  return schema.$ref === undefined ? schema : (definitions[schema.$ref.slice('#/definitions/'.length)] ?? schema)
}

function repairObject({ properties = {}, required = [] }: Schema, payload: Payload, definitions: Definitions): Payload {
  let changed = false
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(payload)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    const mended = schema ? repairValue(schema, value, definitions) : value
    const repaired = mended === undefined && Array.isArray(value) && required.includes(name) ? [] : mended
    if (repaired !== value) changed = true
    if (repaired !== undefined) entries.push([name, repaired])
  }
  // fromEntries defines members, so one called __proto__ stays a plain member.
  return changed ? Object.fromEntries(entries) : payload
}

/** A single object where a list belongs becomes a list of one; an optional empty list is dropped. */
function repairList({ items = {}, minItems = 0 }: Schema, value: unknown, definitions: Definitions): unknown {
  if (!Array.isArray(value)) return isObject(value) ? [repairValue(items, value, definitions)] : value
  const repaired = value
    .map((item: unknown) => repairValue(items, item, definitions))
    .filter((item) => item !== undefined)
  if (repaired.length < minItems && repaired.length === 0) return undefined
  return repaired.length === value.length && repaired.every((item, index) => item === value[index]) ? value : repaired
}

function repairEnum(values: readonly string[], value: unknown): unknown {
  if (typeof value !== 'string' || values.includes(value)) return value
  const folded = value.trim().toLowerCase()
  return values.find((known) => known.toLowerCase() === folded) ?? value
}

function repairText({ maxLength, format }: Schema, value: unknown): unknown {
  if (typeof value === 'string') return maxLength !== undefined && value.length > maxLength ? value.trim() : value
  // A number in place of a time is an epoch, which stationTime reads; a number rounded by JSON.parse is an id, read
  // from the raw text (OCPP-DR3).
  if (typeof value !== 'number' || format !== undefined || isRounded(value)) return value
  return String(value)
}

function isRounded(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

const NUMERIC = /^[+-]?\d+(\.\d*)?([eE][+-]?\d{1,3})?$/

/** Text that a double cannot hold exactly stays text: it may be an id (OCPP-DR3). */
function numberFrom(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (!NUMERIC.test(text)) return value
  const number = Number(text)
  return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : value
}

function booleanFrom(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim().toLowerCase()
  return text === 'true' ? true : text === 'false' ? false : value
}
