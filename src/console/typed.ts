/** What was typed into a form, with the faults of an order beside its fields. */
import type { Refusal } from '../domain/ports/refusal.ts'
import type { Typed } from '../web/entries.tsx'

/** A fault whose field is not on the form, and a refusal without any, stands under `form`. */
export function typedWith(form: URLSearchParams, refusal: Refusal, fields: readonly string[]): Typed {
  const faults: Record<string, string> = {}
  for (const { pointer, message } of refusal.errors ?? []) {
    const name = pointer.slice(1)
    faults[fields.includes(name) ? name : 'form'] = message
  }
  return { form, faults: Object.keys(faults).length > 0 ? faults : { form: refusal.detail } }
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
