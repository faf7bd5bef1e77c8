/** The schemas as functions, each compiled on first use: that costs milliseconds, and there are 100 of them. */

import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { Protocol } from '../../domain/ports/core.ts'
import { PLAIN_TIME } from '../station-time.ts'
import type { Side } from './schemas.ts'
import { schemaOf } from './schemas.ts'

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
