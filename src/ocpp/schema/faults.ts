/** Schema faults as sentences and as error codes, without values (OCPP-EC2): they end in logs and in answers. */
import type { ErrorObject } from 'ajv'
import type { FaultKind } from '../error-codes.ts'

export interface Fault {
  /** JSON pointer; of a missing or unknown member to that member. */
  readonly pointer: string
  readonly message: string
}

/** Member names are sender-controlled: only plain ones are repeated. */
const PLAIN_NAME = /^[A-Za-z][\w.-]{0,39}$/

/** Stored per row and sent in errorDescription, which holds 255 characters. */
const TEXT_LIMIT = 250

/** By keyword. */
const MESSAGES: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  type: ({ type }) => `must be of type ${type}`,
  enum: () => 'is not one of the defined values',
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => `must have at least ${limit} items`,
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  format: ({ format }) => (format === 'date-time' ? 'must be a time like 2026-01-31T12:00:00Z' : 'must be a URI'),
}

export function describeFault({ keyword, instancePath: pointer, params }: ErrorObject): Fault {
  if (keyword === 'required') return { pointer: `${pointer}/${params.missingProperty}`, message: 'is required' }
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty)
    if (!PLAIN_NAME.test(name)) return { pointer, message: 'has an undefined member' }
    return { pointer: `${pointer}/${name}`, message: 'is not defined here' }
  }
  return { pointer, message: MESSAGES[keyword]?.(params) ?? 'is not as defined' }
}

/** One line: the first few faults, and the number of the rest. */
export function describeFaults(errors: readonly ErrorObject[]): string {
  const sentences = [...new Set(errors.map((error) => sentence(describeFault(error))))]
  let text = ''
  for (const [index, next] of sentences.entries()) {
    const longer = text === '' ? next : `${text}; ${next}`
    const rest = ` (and ${sentences.length - index} more)`
    if (longer.length > TEXT_LIMIT - rest.length) return text === '' ? next.slice(0, TEXT_LIMIT) : text + rest
    text = longer
  }
  return text
}

function sentence({ pointer, message }: Fault): string {
  return `${pointer === '' ? 'the payload' : pointer} ${message}`
}

/** Most specific first: a misspelt member is both missing and unknown. */
const PRECEDENCE: readonly FaultKind[] = ['notAnObject', 'occurrence', 'type', 'property', 'structure']

/** The one kind that a CALLERROR reports (OCPP-EC1). */
export function faultKind(errors: readonly ErrorObject[]): FaultKind {
  const kinds = new Set(errors.map(kindOf))
  return PRECEDENCE.find((kind) => kinds.has(kind)) ?? 'property'
}

function kindOf({ keyword, instancePath }: ErrorObject): FaultKind {
  if (keyword === 'type') return instancePath === '' ? 'notAnObject' : 'type'
  if (keyword === 'additionalProperties') return 'structure'
  return ['required', 'minItems', 'maxItems'].includes(keyword) ? 'occurrence' : 'property'
}
