/** What is wrong with a request, member by member; the API shows faults as the `errors` of a problem. */

export interface Fault {
  readonly pointer: string
  readonly code: string
  readonly message: string
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/** RFC 6901 §3. */
export function pointerTo(...path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

export function refused<T>(pointer: string, code: string, message: string): Parsed<T> {
  return { ok: false, faults: [{ pointer, code, message }] }
}
