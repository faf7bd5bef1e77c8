/**
 * What the official schema objected to, as the log keeps it in one line and as the API shows it: a list of texts
 * (contract 3). The sentences are ours (ocpp/schema/faults.ts), so nothing but their separator holds a semicolon.
 */

/** Said of a message that only parsed once it was mended; the others follow it without a separator. */
const NOT_JSON = 'The message was not JSON.'
/** How many more there were than the line holds. */
const REST = / \((and \d+ more)\)$/

export function schemaErrorTexts(line: string): readonly string[] {
  const mended = line.startsWith(NOT_JSON)
  const faults = (mended ? line.slice(NOT_JSON.length) : line).trim()
  const rest = REST.exec(faults)?.[1]
  const sentences = faults.replace(REST, '').split('; ')
  return [mended ? NOT_JSON : '', ...sentences, rest ?? ''].filter((text) => text !== '')
}
