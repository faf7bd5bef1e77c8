/** Whether a station has what is wanted: stations spell values in their own way (CONFIG-A5). */

const NUMBER = /^[+-]?\d{1,15}(\.\d{1,15})?$/

/** Booleans without case, numbers by value, lists without spaces around commas. @param isUnordered list in any order */
export function sameValue(desired: string, found: string, isUnordered = false): boolean {
  const [requested, had] = [desired.trim(), found.trim()]
  if (requested === had) return true
  if (/^(true|false)$/i.test(requested)) return requested.toLowerCase() === had.toLowerCase()
  if (NUMBER.test(requested) && NUMBER.test(had)) return Number(requested) === Number(had)
  return requested.includes(',') && listText(requested, isUnordered) === listText(had, isUnordered)
}

function listText(text: string, isUnordered: boolean): string {
  const members = text.split(',').map((member) => member.trim())
  return (isUnordered ? members.sort() : members).join(',')
}
