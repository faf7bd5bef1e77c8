/** Refusing with a value: the API makes a problem of it, the console a page. */
import type { Fault } from './message-log/fault.ts'
import type { Outcome } from './ports/sessions.ts'
import type { Refusal } from './ports/storage-records.ts'

export function refuse(status: Refusal['status'], code: string, detail: string, errors?: Refusal['errors']): Refusal {
  return { refused: true, status, code, detail, errors }
}

/** The same for what does not exist and what is foreign. */
export function noSuch(what: string): Refusal {
  return refuse(404, 'not_found', `There is no such ${what}.`)
}

/** What a block's decision refused; undefined where it was carried out. */
export function refusalIn(outcome: Outcome | Refusal): Refusal | undefined {
  return 'status' in outcome ? outcome : undefined
}

/** A body of thousands of wrong members must not be answered with a megabyte (OIDC-U9). */
const MAX_FAULTS = 1000
/** In the sentence; all of them are in `errors`. */
const MAX_SENTENCES = 20

/** 400 with every fault, and the code of the only kind of fault. @param leading the code that says more than others */
export function refuseFaults(
  faults: readonly Fault[],
  leading?: string,
): Refusal & { readonly errors: readonly Fault[] } {
  const codes = new Set(faults.map((fault) => fault.code))
  const [only = 'invalid_request'] = codes.size === 1 ? codes : []
  const sentences = faults.slice(0, MAX_SENTENCES).map(({ pointer, message }) => `${pointer || 'The body'} ${message}.`)
  if (faults.length > MAX_SENTENCES) sentences.push(`There are ${faults.length} faults in all.`)
  const detail = sentences.join(' ') || 'The request is not valid.'
  return { ...refuse(400, leading ?? only, detail), errors: faults.slice(0, MAX_FAULTS) }
}

export function refuseFault(pointer: string, code: string, message: string): Refusal {
  return refuseFaults([{ pointer, code, message }])
}
