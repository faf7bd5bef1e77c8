/** The log as NDJSON: one row as the API shows it per line. */
import type { Command } from '../ports/storage.ts'
import { commandJson } from './shown-command.ts'
import type { Utf8Text } from './utf8-text.ts'

/** Line breaks between JSON tokens go; inside a JSON string there are none. `salt` as for `logIdToUuid`. */
export function addNdjsonLine(text: Utf8Text, row: Command, salt: bigint): void {
  text.add(`${commandJson(row, salt).replaceAll(/[\r\n]+/g, ' ')}\n`)
}
