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

export function describeFault({ keyword, instancePath, params }: ErrorObject): Fault {
  const at = (message: string, pointer = instancePath): Fault => ({ pointer, message })
  switch (keyword) {
    case 'required':
      return at('is required', `${instancePath}/${params.missingProperty}`)
    case 'additionalProperties': {
      const name = String(params.additionalProperty)
      return PLAIN_NAME.test(name)
        ? at('is not defined here', `${instancePath}/${name}`)
        : at('has an undefined member')
    }
    case 'type':
      return at(`must be of type ${params.type}`)
    case 'enum':
      return at('is not one of the defined values')
    case 'maxLength':
      return at(`must have at most ${params.limit} characters`)
    case 'minItems':
      return at(`must have at least ${params.limit} items`)
    case 'maxItems':
      return at(`must have at most ${params.limit} items`)
    case 'minimum':
      return at(`must be at least ${params.limit}`)
    case 'maximum':
      return at(`must be at most ${params.limit}`)
    case 'multipleOf':
      return at(`must be a multiple of ${params.multipleOf}`)
    case 'format':
      return at(params.format === 'date-time' ? 'must be a time like 2026-01-31T12:00:00Z' : 'must be a URI')
    default:
      return at('is not as defined')
  }
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
  switch (keyword) {
    case 'type':
      return instancePath === '' ? 'notAnObject' : 'type'
    case 'required':
    case 'minItems':
    case 'maxItems':
      return 'occurrence'
    case 'additionalProperties':
      return 'structure'
    default:
      return 'property'
  }
}
