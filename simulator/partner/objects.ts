/** The partner's own copy of what others own: pushed objects, and the EVSEs and connectors of locations. */
import { isObject } from '../../src/ocpp/translate/payload.ts'
import { type Json, objectsOf, type Received, type Reply } from './wire.ts'

/** Country code, party id and id. */
const OWNER_LENGTH = 3
/** The lists below a location, and what names an object there. */
const PARTS = [
  ['evses', 'uid'],
  ['connectors', 'id'],
] as const

export const refusal = (status: number, statusCode: number, message: string): Reply => ({ status, statusCode, message })

/** PUT, PATCH, GET and DELETE of an object, or of a part of it. */
export function keepObject(
  store: Map<string, Json>,
  { method, module, path, body }: Pick<Received, 'method' | 'module' | 'path' | 'body'>,
): Reply {
  const key = path.slice(0, OWNER_LENGTH).join('/')
  const [...parts] = path.slice(OWNER_LENGTH)
  const whole = store.get(key)
  const found = partOf(whole, parts)
  const isNew = method === 'PUT' && (whole !== undefined || parts.length === 0)
  if (!found && !isNew) return refusal(404, 2003, `${path.join('/')} is not known: send it with PUT first`)
  if (method === 'GET') return { data: found }
  if (method === 'DELETE') store.delete(key)
  else if (!isObject(body)) return refusal(200, 2001, 'the body is no object')
  else store.set(key, withPart(whole, parts, method === 'PATCH' ? { ...found, ...body, ...added(found, body) } : body))
  return { status: found ? 200 : 201 }

  /** A PATCH of a session adds its charging periods; everything else is replaced member by member. */
  function added(before: Json | undefined, change: Json): Json {
    const periods = [...objectsOf(before?.charging_periods), ...objectsOf(change.charging_periods)]
    return module === 'sessions' ? { charging_periods: periods } : {}
  }
}

/** The EVSE, or the connector of it, that a path below a location names. */
function partOf(whole: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce((found: Json | undefined, id, depth) => {
    const [list, name] = PARTS[depth] ?? ['', '']
    return objectsOf(found?.[list]).find((part) => part[name] === id)
  }, whole)
}

function withPart(whole: Json | undefined, path: readonly string[], after: Json, depth = 0): Json {
  const [list, name] = PARTS[depth] ?? ['', '']
  const [id, ...below] = path
  if (id === undefined) return after
  const parts = objectsOf(whole?.[list])
  const before = parts.find((part) => part[name] === id)
  return { ...whole, [list]: [...parts.filter((part) => part !== before), withPart(before, below, after, depth + 1)] }
}
