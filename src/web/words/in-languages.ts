/** Words of pages, each in English and German side by side. A missing translation does not compile. */

export type Language = 'en' | 'de'

type Word = string | ((...reported: never[]) => string | undefined)

export interface Pairs {
  readonly [name: string]: readonly [english: Word, german: Word] | Pairs
}

/** What values are called. Unless the values are given, what a page meets may have no name here. */
export type Names<Value extends string = string> = Readonly<Record<Value, readonly [english: string, german: string]>>

export type InOne<All> = {
  readonly [Name in keyof All]: All[Name] extends readonly [infer English, infer German]
    ? English extends string
      ? string
      : German extends English
        ? English
        : never
    : InOne<All[Name]>
}

export function inLanguages<All extends Pairs>(pairs: All): (reader: { readonly language: Language }) => InOne<All> {
  const texts = { en: oneOf(pairs, 0), de: oneOf(pairs, 1) } as Readonly<Record<Language, InOne<All>>>
  return ({ language }) => texts[language]
}

function oneOf(pairs: Pairs, at: 0 | 1): object {
  const entries = Object.entries(pairs)
  return Object.fromEntries(entries.map(([name, pair]) => [name, isPair(pair) ? pair[at] : oneOf(pair, at)]))
}

function isPair(value: Pairs[string]): value is readonly [Word, Word] {
  return Array.isArray(value)
}
