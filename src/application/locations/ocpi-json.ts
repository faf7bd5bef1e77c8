/** Locations as OCPI 2.3.0 spells them: snake case, texts for coordinates, countries of three letters. */

import type { FoundLocation } from './found.ts'
import type { representLocation } from './show.ts'

type Members = Readonly<Record<string, unknown>>

/** Of ours alone: OCPI has no place for them. */
const OURS = new Set(['evseControllerId', 'ocppEvseId', 'accessibility', 'createdAt'])
/** Of OCPI alone, or said by us. */
const THEIRS = new Set(
  'country_code party_id last_updated status status_schedule publish_allowed_to related_locations images logo'.split(
    ' ',
  ),
)
/** Longer than any location of 500 EVSEs. */
const MAX_CHARACTERS = 4 * 1024 * 1024
const MAX_NESTING = 32

export function ocpiLocation(
  location: ReturnType<typeof representLocation>,
  party: { readonly countryCode: string; readonly partyId: string } | undefined,
): string {
  const evses = location.evses
    .filter(({ status }) => status !== 'REMOVED')
    .map((evse) => ({ ...evse, connectors: evse.connectors.map(({ connectorId: id, ...one }) => ({ id, ...one })) }))
  const own = party && { country_code: party.countryCode, party_id: party.partyId }
  return JSON.stringify({ ...own, ...(snake({ ...location, evses }) as object) })
}

function snake(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snake)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (OURS.has(name)) return []
      const isDegrees = name === 'latitude' || name === 'longitude'
      return [
        [
          name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          isDegrees ? degrees(member) : snake(member),
        ],
      ]
    }),
  )
}

function degrees(value: unknown): string {
  return Number(value).toFixed(6)
}

/** The members of a list, each read when it is whole. */
export async function* ocpiLocations(pieces: AsyncIterable<string>): AsyncGenerator<FoundLocation> {
  let at = 0
  for await (const text of elements(pieces)) {
    const place = `/${at++}`
    const refused = (message: string): FoundLocation => ({
      at: place,
      faults: [{ pointer: place, code: 'malformed_json', message }],
    })
    if (text === undefined) return yield refused('is not a list of locations in JSON, or one of them is too large')
    try {
      const { id, ...body } = camel(JSON.parse(text)) as Members
      const evses = Array.isArray(body.evses) ? (body.evses as readonly unknown[]).flatMap(evseOf) : body.evses
      yield { at: place, id, body: { ...body, evses }, keepsPlaces: true }
    } catch {
      yield refused('is not JSON')
    }
  }
}

/** OCPI calls a connector's name `id`. */
function evseOf(evse: unknown): readonly unknown[] {
  if (typeof evse !== 'object' || evse === null) return [evse]
  const { isGone, connectors, ...own } = evse as Members
  if (isGone) return []
  const named = Array.isArray(connectors)
    ? (connectors as readonly Members[]).map(({ id: connectorId, ...one }) => ({ connectorId, ...one }))
    : connectors
  return [{ ...own, connectors: named }]
}

function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel)
  if (typeof value !== 'object' || value === null) return value
  const known = Object.entries(value).filter(([name]) => !THEIRS.has(name))
  const members = known.map(([name, member]) => {
    const spelled = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    if (name === 'latitude' || name === 'longitude')
      return [spelled, typeof member === 'string' ? Number(member) : member]
    // Times of OCPI are UTC, with or without Z.
    const isPlain = typeof member === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(member)
    return [spelled, isPlain ? `${member}Z` : camel(member)]
  })
  const isGone = 'status' in value && value.status === 'REMOVED'
  return Object.fromEntries(isGone ? [...members, ['isGone', true]] : members)
}

/** Texts of the members of the outermost list; undefined: it is none. Each character is looked at once. */
async function* elements(pieces: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let [depth, isText, isEscaped, characters] = [0, false, false, 0]
  let kept: string[] = []
  for await (const piece of pieces) {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at] ?? ''
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (character === '\\') isEscaped = true
        else if (character === '"') isText = false
      } else if (depth === 0) {
        if (character === '[') depth = 1
        else if (!/[\s\uFEFF]/.test(character)) return yield undefined
      } else if (character === '{' || character === '[') {
        if (depth === 1) from = at
        depth++
        if (depth > MAX_NESTING) return yield undefined
      } else if (character === '}' || character === ']') {
        depth--
        if (depth === 1) {
          kept.push(piece.slice(from, at + 1))
          yield kept.join('')
          kept = []
          characters = 0
        }
        if (depth === 0) return
      } else if (character === '"') {
        if (depth === 1) return yield undefined
        isText = true
      } else if (depth === 1 && !/[\s,]/.test(character)) return yield undefined
    }
    if (depth < 2) continue
    kept.push(piece.slice(from))
    characters += piece.length - from
    if (characters > MAX_CHARACTERS) return yield undefined
  }
  yield undefined
}
