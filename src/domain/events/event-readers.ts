/** Who reads an event, and how much of it: an event is as readable as what it is about is over the API (HOOK-E4). */
import { grouped } from '../grouped.ts'
import { declarationOf } from './declaration.ts'
import { EVENTS } from './registry.ts'

/** Types by the scope with which an application reads them; those of `account` it never does. */
export const TYPES_READ_BY = grouped(EVENTS, ({ readBy }) => readBy)

/** @param scopes undefined: of the account itself */
export function readsEvent(scopes: readonly string[] | undefined, type: string): boolean {
  return scopes?.includes(declarationOf(EVENTS, type).readBy) !== false
}

/** The envelope as an application is sent it: the same bytes every time. */
export function bodyForApplication(type: string, body: string): string {
  const { withheld } = declarationOf(EVENTS, type)
  if (withheld.length === 0) return body
  const envelope = JSON.parse(body) as { readonly data: object }
  const members = Object.entries(envelope.data).filter(([name]) => !withheld.includes(name))
  return JSON.stringify({ ...envelope, data: Object.fromEntries(members) })
}
