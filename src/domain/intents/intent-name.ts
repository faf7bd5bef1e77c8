import type { IntentName } from './records.ts'

/** INTENT-A1: one for each name, in whichever case. */
export function intentName({ kind, key }: IntentName): string {
  return `${kind} ${key.toLowerCase()}`
}
