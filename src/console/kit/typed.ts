import type { z } from '@hono/zod-openapi'
import { check, faultsOf, type Present } from '../../application/check-schema.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { refuseFaults } from '../../domain/refuse.ts'
import type { Faults, Typed } from '../../web/entries.tsx'

/** A form as the body of the API. @param before faults that its schema does not know */
export function checkedForm<Body>(
  schema: z.ZodType<Body>,
  body: Readonly<Record<string, unknown>>,
  before: readonly Fault[] = [],
): Present<Body> | Refusal {
  const checked = check(schema, withoutAbsent(body))
  if (checked.ok && before.length === 0) return checked.value
  return refuseFaults([...before, ...faultsOf(checked)])
}

export function withoutAbsent(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

export interface FormFault {
  readonly pointer: string
  readonly message: string
}

export function typedWith(form: URLSearchParams, { errors = [], detail }: Pick<Refusal, 'errors' | 'detail'>): Typed {
  return { form, faults: errors.length === 0 ? { form: detail } : faultsAt(errors) }
}

export function faultsAt(errors: readonly FormFault[]): Faults {
  return joined(errors.map(({ pointer, message }) => [pointer.replace('/', ''), message]))
}

/**
 * Each fault beside the field that it is about or that holds what it is about: `/selector/labels/x` and `/window/start`
 * are the fields `labels` and `start`, `/not/ids` is `notIds`. What has no field stands above all.
 */
export function placedFaults(faults: Faults, fields: readonly string[]): Faults {
  const longestFirst = fields.toSorted((one, other) => other.length - one.length)
  return joined(
    Object.entries(faults).map(([name, message]) => {
      const path = name
        .replace(/^(?:selector|window)\/(?=.)/, '')
        .replace(/^not\/(.)/, (_, one) => `not${one.toUpperCase()}`)
      const field = longestFirst.find((one) => `${path}/`.startsWith(`${one.replace(/^\//, '')}/`))
      const inside = field === undefined ? '' : path.slice(field.replace(/^\//, '').length + 1)
      if (field !== undefined) return [field, inside.includes('/') ? `${placeText(inside)}: ${message}` : message]
      return name === 'form' || name === '' ? ['form', message] : ['form', `${placeText(name)}: ${message}`]
    }),
  )
}

function joined(faults: readonly (readonly [name: string, message: string])[]): Faults {
  const found: Record<string, string> = {}
  for (const [name, message] of faults) found[name] = found[name] === undefined ? message : `${found[name]}. ${message}`
  return found
}

function placeText(path: string): string {
  return path
    .split('/')
    .map((step) => (/^\d+$/.test(step) ? Number(step) + 1 : step))
    .join(' ')
}

/** Empty fields become absent members. */
export function filledIn<Name extends string>(
  form: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const filled: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const text = form.get(name)?.trim() ?? ''
    if (text !== '') filled[name] = text
  }
  return filled
}

/** With a comma or a point; what is no number is left to the schema to refuse. */
export function typedNumber(form: URLSearchParams, name: string): number | undefined {
  const text = form.get(name)?.trim() ?? ''
  return text === '' ? undefined : Number(text.replace(',', '.'))
}
