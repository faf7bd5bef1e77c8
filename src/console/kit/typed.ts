/** What was typed into a form, with the faults of an order beside its fields. */
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Typed } from '../../web/entries.tsx'

/** A refusal that is about no field stands above the form, and so does a fault whose field is not on it. */
export function typedWith(form: URLSearchParams, { errors = [], detail }: Refusal): Typed {
  if (errors.length === 0) return { form, faults: { form: detail } }
  const faults: Record<string, string> = {}
  for (const { pointer, message } of errors) {
    const name = pointer.slice(1)
    faults[name] = faults[name] === undefined ? message : `${faults[name]}. ${message}`
  }
  return { form, faults }
}

/** Absent members for fields that were left empty. */
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
