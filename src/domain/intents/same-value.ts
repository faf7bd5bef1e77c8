/** Whether a station has what is wanted: stations spell values in their own way (CONFIG-A5). */

const NUMBER = /^[+-]?\d{1,15}(\.\d{1,15})?$/

/** Booleans compare without case, numbers by their value, lists without the spaces around their commas. */
export function sameValue(desired: string, found: string): boolean {
  const [wanted, had] = [desired.trim(), found.trim()]
  if (wanted === had) return true
  if (/^(true|false)$/i.test(wanted)) return wanted.toLowerCase() === had.toLowerCase()
  if (NUMBER.test(wanted) && NUMBER.test(had)) return Number(wanted) === Number(had)
  return wanted.includes(',') && listText(wanted) === listText(had)
}

function listText(text: string): string {
  return text
    .split(',')
    .map((member) => member.trim())
    .join(',')
}
