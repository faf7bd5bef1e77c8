/**
 * Objections of use cases and schemas, in the reader's language (ADMIN-D4). Their English stands in one place, for the
 * API, the command line and the pages; `{}` is what differs, and comes again in the same order unless it has a number.
 */
import { type Language, LOCALES } from '../../application/words/in-languages.ts'

/** The special one stands before the general one. */
export const GERMAN: readonly (readonly [english: string, german: string])[] = Object.entries(LOCALES.en.refusals).map(
  ([key, english]) => [english, LOCALES.de.refusals[key as keyof typeof LOCALES.de.refusals]],
)

let patterns: readonly (readonly [RegExp, string])[] | undefined
/** Longer sentences only keep the server busy. */
const MAX_CHARACTERS = 4000
const MAX_PIECES = 25

/** A sentence without a translation stays as it is, and so does text of a charge point. */
export function translated({ language }: { readonly language: Language }, sentence: string): string {
  if (language !== 'de' || sentence.length > MAX_CHARACTERS) return sentence
  return germanOf(sentence, MAX_PIECES) ?? sentence
}

const SEVERAL = /^(.+?)(\. )(?=[a-z])(.+)$/s
const BEHIND_A_NAME = /^(.+?)(\. |: |\u201D | (?=(?:must|may|is|has|needs|names|cannot|does) ))(.+)$/s

function germanOf(sentence: string, left: number): string | undefined {
  patterns ??= GERMAN.map(([english, german]) => {
    const parts = english.split('{}').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return [new RegExp(`^${parts.join('(.*?)')}$`, 's'), german]
  })
  const several = SEVERAL.exec(sentence)
  for (const [pattern, german] of several ? [] : patterns) {
    const [whole, ...reported] = pattern.exec(sentence) ?? []
    if (whole !== undefined) return filledWith(german, reported, left)
  }
  const [, first = '', between = '', rest = ''] = several ?? BEHIND_A_NAME.exec(sentence) ?? []
  if (rest === '' || left <= 0) return undefined
  const [one, other] = [germanOf(first, 0), germanOf(rest, left - 1)]
  return one === undefined && other === undefined ? undefined : (one ?? first) + between + (other ?? rest)
}

function filledWith(german: string, reported: readonly string[], left: number): string {
  let at = 0
  return german.replaceAll(/\{(\d?)\}/g, (_, number: string) => {
    const one = reported[number === '' ? at++ : Number(number) - 1] ?? ''
    return germanOf(one, left - 1) ?? one
  })
}
