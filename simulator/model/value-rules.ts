export interface ValueRules {
  readonly dataType:
    | 'string'
    | 'integer'
    | 'decimal'
    | 'boolean'
    | 'dateTime'
    | 'OptionList'
    | 'MemberList'
    | 'SequenceList'
  /** Of a text: its length. */
  readonly minLimit?: number
  readonly maxLimit?: number
  readonly valuesList?: readonly string[]
}

export type Given = string | number | boolean | readonly string[]

/** A value as text, with the type that follows from it: a whole number, a boolean or a list of any of its members. */
export function typed(value: Given): Partial<ValueRules> & { readonly value: string } {
  if (typeof value === 'number') return { value: String(value), dataType: 'integer' }
  if (typeof value === 'boolean') return { value: String(value), dataType: 'boolean' }
  if (typeof value === 'string') return { value }
  return { value: value.join(','), dataType: 'MemberList', valuesList: value }
}

/** One of the reason codes of OCPP 2.0.1 (appendix 5); undefined: the value is a good one. */
type ValueFault = 'InvalidValue' | 'ValueTooLow' | 'ValueTooHigh' | 'TooLargeElement'

const MAX_TEXT_LENGTH = 2_500

export function valueFault(value: string, rules: ValueRules): ValueFault | undefined {
  if (value.length > MAX_TEXT_LENGTH) return 'TooLargeElement'
  switch (rules.dataType) {
    case 'boolean':
      return /^(?:true|false)$/i.test(value) ? undefined : 'InvalidValue'
    case 'integer':
      return /^-?\d+$/.test(value) ? outside(Number(value), rules) : 'InvalidValue'
    case 'decimal':
      return /^-?\d+(?:\.\d+)?$/.test(value) ? outside(Number(value), rules) : 'InvalidValue'
    case 'dateTime':
      return Number.isNaN(Date.parse(value)) ? 'InvalidValue' : undefined
    case 'OptionList':
      return isListed(value, rules) ? undefined : 'InvalidValue'
    case 'MemberList':
    case 'SequenceList':
      return value === '' || value.split(',').every((member) => isListed(member.trim(), rules))
        ? undefined
        : 'InvalidValue'
    case 'string':
      return outside(value.length, rules)
  }
}

function outside(size: number, { minLimit, maxLimit }: ValueRules): ValueFault | undefined {
  if (minLimit !== undefined && size < minLimit) return 'ValueTooLow'
  return maxLimit !== undefined && size > maxLimit ? 'ValueTooHigh' : undefined
}

function isListed(value: string, { valuesList }: ValueRules): boolean {
  return valuesList === undefined || valuesList.includes(value)
}
