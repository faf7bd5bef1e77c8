/** Files of locations, read as they come (LOCATION-A6). */
import type { Fault } from '../../domain/message-log/fault.ts'
import { FileFault } from '../../files/multipart.ts'

/** A location of a file, or what is wrong there. */
export type FoundLocation =
  | { readonly faults: readonly Fault[] }
  | {
      /** Its place in the file, which faults are named by. */
      readonly at: string
      readonly id: unknown
      readonly body: object
      /** The file cannot say charge points: those that are known stay. */
      readonly keepsPlaces?: true
    }

const MAX_BYTES = 64 * 1024 * 1024
/** Longer than any location of 500 EVSEs. */
const MAX_CHARACTERS = 4 * 1024 * 1024

/** @throws FileFault for a file that is too large or no UTF-8 */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (piece?: Uint8Array): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch (cause) {
      throw new FileFault('malformed', 'The file is not valid UTF-8.', cause)
    }
  }
  let size = 0
  for await (const piece of bytes) {
    size += piece.length
    if (size > MAX_BYTES) throw new FileFault('tooLarge', `The file may have at most ${MAX_BYTES} bytes.`)
    yield decode(piece)
  }
  yield decode()
}

/** Those that end within a piece, and what is left. @param isEnd is asked for each character once, in order */
export async function* partsOf(
  pieces: AsyncIterable<string>,
  isEnd: (character: string) => boolean,
): AsyncGenerator<readonly string[]> {
  let kept: string[] = []
  let characters = 0
  for await (const piece of pieces) {
    let from = 0
    const parts: string[] = []
    for (let at = 0; at < piece.length; at++) {
      if (!isEnd(piece[at] as string)) continue
      parts.push(kept.join('') + piece.slice(from, at + 1))
      kept = []
      characters = 0
      from = at + 1
    }
    if (parts.length > 0) yield parts
    kept.push(piece.slice(from))
    characters += piece.length - from
    if (characters > MAX_CHARACTERS) throw new FileFault('tooLarge', 'A location of the file is too large.')
  }
  yield [kept.join('')]
}
