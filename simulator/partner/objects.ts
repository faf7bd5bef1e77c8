/** What the partner has received, as its own copy of what others own: a pushed object, and the parts of a location. */
import { isObject, type Json, objectsOf } from './wire.ts'

/** An answer before it is an envelope. */
export interface Reply {
  readonly status: number
  /** Default: 1000. */
  readonly statusCode?: number | undefined
  readonly message?: string | undefined
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Received {
  readonly at: number
  readonly method: string
  readonly version: string
  readonly module: string
  /** Behind the address of the module. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
  readonly isJson: boolean
  /** To the address that the quirk `redirects` leads to. */
  readonly isMoved: boolean
}

export interface ObjectStore {
  readonly all: (module: string) => readonly Json[]
  readonly handle: (request: Received) => Reply
}

export const OK: Reply = { status: 200 }
export const notFound = (statusCode: number, message: string): Reply => ({ status: 404, statusCode, message })
const invalid = (message: string): Reply => ({ status: 200, statusCode: 2001, message })

/** Country code, party id and id. */
const OWNER_LENGTH = 3

export function createObjectStore(): ObjectStore {
  const stores = new Map<string, Map<string, Json>>()
  const storeOf = (module: string): Map<string, Json> => {
    const store = stores.get(module) ?? new Map<string, Json>()
    stores.set(module, store)
    return store
  }
  return {
    all: (module) => [...storeOf(module).values()],
    handle({ method, module, path, body }) {
      const store = storeOf(module)
      const key = path.slice(0, OWNER_LENGTH).join('/')
      const parts = path.slice(OWNER_LENGTH)
      const before = store.get(key)
      const found = partOf(before, parts)
      if (method === 'GET')
        return found ? { status: 200, data: found } : notFound(2003, `${path.join('/')} is not known`)
      if (method === 'DELETE') return store.delete(key) ? OK : notFound(2003, `${key} is not known`)
      if (!isObject(body)) return invalid('the body is no object')
      if (method === 'PATCH' && !found) return notFound(2003, `${path.join('/')} is not known: send it with PUT first`)
      if (parts.length > 0 && !before) return notFound(2003, `${key} is not known: send the location first`)
      const after = method === 'PATCH' && found ? merged(module, found, body) : body
      store.set(key, before && parts.length > 0 ? withPart(before, parts, after) : after)
      return { status: found ? 200 : 201 }
    },
  }
}

/** A PATCH of a session adds its charging periods; everything else is replaced member by member. */
function merged(module: string, before: Json, change: Json): Json {
  if (module !== 'sessions') return { ...before, ...change }
  const periods = [...objectsOf(before.charging_periods), ...objectsOf(change.charging_periods)]
  return { ...before, ...change, charging_periods: periods }
}

const LISTS = [
  { list: 'evses', id: 'uid' },
  { list: 'connectors', id: 'id' },
] as const

/** The EVSE, or the connector of it, that a path below a location names. */
function partOf(whole: Json | undefined, [id, ...rest]: readonly string[], depth = 0): Json | undefined {
  const level = LISTS[depth]
  if (!whole || id === undefined || !level) return whole
  return partOf(
    objectsOf(whole[level.list]).find((part) => part[level.id] === id),
    rest,
    depth + 1,
  )
}

function withPart(whole: Json, [id, ...rest]: readonly string[], after: Json, depth = 0): Json {
  const level = LISTS[depth]
  if (id === undefined || !level) return after
  const parts = objectsOf(whole[level.list])
  const part = withPart(parts.find((one) => one[level.id] === id) ?? { [level.id]: id }, rest, after, depth + 1)
  return { ...whole, [level.list]: [...parts.filter((one) => one[level.id] !== id), part] }
}
