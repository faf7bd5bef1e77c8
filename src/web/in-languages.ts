import type { Language } from './texts.ts'

/** Makes the function that gives texts in the language of whoever reads them, such as a frame's. */
export function inLanguages<Texts>(
  texts: Readonly<Record<Language, Texts>>,
): (reader: { readonly language: Language }) => Texts {
  return ({ language }) => texts[language]
}
