import { inLanguages, type Language } from '../application/words/in-languages.ts'

export const sharedTexts = inLanguages('site')

export type { Language }
export type Texts = ReturnType<typeof sharedTexts>
/** Names of texts that are no function and no group. */
export type WordOf<Texts> = { [Name in keyof Texts]: Texts[Name] extends string ? Name : never }[keyof Texts]
export type FaultName = keyof Texts['faults']

export function textsOf(language: Language): Texts {
  return sharedTexts({ language })
}

/** More than any browser sends. */
const MAX_RANGES = 100

/** The first of the requested languages that we have: ui_locales, then Accept-Language, then English. */
export function chooseLanguage(uiLocales: string | undefined, acceptLanguage: string | undefined): Language {
  const accepted = (acceptLanguage ?? '')
    .split(',', MAX_RANGES)
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().split(';')
      const weight = Number(
        parameters
          .find((text) => text.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? 1,
      )
      return { tag, weight: Number.isNaN(weight) ? 0 : weight }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)
  const requested = [...(uiLocales ?? '').split(' ', MAX_RANGES), ...accepted].map(
    (tag) => tag.toLowerCase().split('-')[0],
  )
  return requested.find(isLanguage) ?? 'en'
}

export function isLanguage(tag: string | undefined): tag is Language {
  return tag === 'en' || tag === 'de'
}
