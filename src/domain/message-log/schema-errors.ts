/** What the schema objected to, from a line of the log to a list of texts (OCPP-VA1, SEARCH-C8); `;` only separates. */

/** Said of the text itself (`The message was not JSON.`), in front of all others and without their separator. */
const OF_TEXT = /^(?:The message was not [\w-]+\. ?)+/
/** How many more there were than the line holds. */
const REST = / \((and \d+ more)\)$/

export function schemaErrorTexts(line: string): readonly string[] {
  const ofText = OF_TEXT.exec(line)?.[0] ?? ''
  const faults = line.slice(ofText.length)
  const rest = REST.exec(faults)?.[1]
  const texts = [...ofText.split(/(?<=\.) ?/), ...faults.replace(REST, '').split('; '), rest ?? '']
  return texts.filter((text) => text !== '')
}
