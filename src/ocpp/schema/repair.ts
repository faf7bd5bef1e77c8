/** OCPP-VA3: repairs that keep a message's meaning, guided by the schema. Times stay text (stationTime). */
import type { Protocol } from '../../domain/ports/core.ts'
import type { Payload } from '../payload.ts'
import { isObject } from '../translate/payload.ts'
import type { Schema } from './schemas.ts'
import { schemaOf } from './schemas.ts'

type Definitions = Readonly<Record<string, Schema>>

/** The same object when nothing needs repair. Depth is bounded by the schema, not by the payload. */
export function repair(protocol: Protocol, action: string, payload: Payload): Payload {
  const schema = schemaOf(protocol, action, 'req')
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

function repairObject({ properties = {} }: Schema, payload: Payload, definitions: Definitions): Payload {
  let changed = false
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(payload)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    const repaired = schema ? repairValue(schema, value, definitions) : value
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
