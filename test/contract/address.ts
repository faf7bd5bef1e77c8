/** How the table of addresses says what an address promises. */
import type { Scope } from '../../src/domain/accounts/scopes.ts'
import type { Place } from './place.ts'

export interface Address {
  /** As in the description; a name in braces is what an earlier line `keeps` under that name. */
  readonly at: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  /** `credential`: no scope covers it. `grant`: an application's own, whatever its scopes. */
  readonly needs: Scope | readonly Scope[] | 'credential' | 'grant' | 'anyone'
  /** Status of the good request. */
  readonly answers: number
  /** A good one; of a function the place is asked first. */
  readonly body?: object | ((place: Place) => object)
  /** Good ones, all in one request. */
  readonly query?: string
  readonly form?: (place: Place) => FormData
  readonly headers?: Readonly<Record<string, string>>
  /** Bodies that are refused with 400, and where in each of them the fault is. */
  readonly wrong?: readonly (readonly [body: object, pointer: string])[]
  /** Queries that are refused with 400, and the parameter that is wrong. */
  readonly wrongQuery?: Readonly<Record<string, string>>
  /** Members of the good answer. */
  readonly has?: object
  readonly reported?: Readonly<Record<string, RegExp>>
  readonly type?: string
  /** The answer's `id` is known by this name from then on. */
  readonly keeps?: string
  /** What must have happened before. */
  readonly first?: (place: Place) => Promise<unknown>
  /** Of one's own account, or not of any: nobody else's can be asked for. */
  readonly isOwn?: true
  /** Made by the credential of the test: an application sees those alone that it made. */
  readonly isMakers?: true
  /** What an application with all scopes is answered that made what came before; as everybody else unless given. */
  readonly answersApplication?: number
}

/** The method and the path with what stands in its braces. */
export function addressOf({ at }: Address, ids: ReadonlyMap<string, string>): readonly [method: string, path: string] {
  const [method = '', path = ''] = at.split(' ')
  return [method, path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids.get(name) ?? 'none'))]
}
