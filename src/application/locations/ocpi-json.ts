/** Locations as a list of OCPI 2.3.0 in JSON, each read when it is whole (LOCATION-A6). */
import { fromOcpi } from '../../domain/locations/ocpi-names.ts'
import { type FoundLocation, partsOf } from './read-file.ts'

export async function* ocpiLocations(pieces: AsyncIterable<string>): AsyncGenerator<FoundLocation> {
  let at = -1
  let last = ''
  for await (const parts of partsOf(pieces, itemEnds())) {
    for (const part of parts) {
      const text = part.trim()
      if (text === '') continue
      if (at < 0 && text !== '[') return yield NO_LIST
      last = text
      if (at++ < 0 || (at === 1 && text === ']')) continue
      const place = `/${at - 1}`
      try {
        const { id, ...body } = fromOcpi(JSON.parse(text.slice(0, -1))) as { readonly id?: unknown }
        yield { at: place, id, body, keepsPlaces: true }
      } catch {
        yield faultAt(place, 'is not JSON')
      }
    }
  }
  if (!last.endsWith(']')) yield NO_LIST
}

function faultAt(pointer: string, message: string): FoundLocation {
  return { faults: [{ pointer, code: 'malformed_json', message }] }
}

const NO_LIST = faultAt('', 'is not a list of locations in JSON')

/** Behind the bracket that opens the outermost list, each member of it, and its end. */
function itemEnds(): (character: string) => boolean {
  let [depth, isText, isEscaped] = [0, false, false]
  return (character) => {
    if (isText) {
      isText = isEscaped || character !== '"'
      isEscaped = !isEscaped && character === '\\'
    } else if (character === '"') isText = true
    else if (character === '[' || character === '{') return depth++ === 0
    else if (character === ']' || character === '}') return --depth === 0
    else return depth === 1 && character === ','
    return false
  }
}
