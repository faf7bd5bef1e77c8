/**
 * The texts of pages, from `locales/`. One that either language lacks does not compile. The text `"left(count)"` is
 * `left(count)` in code and fills in its `{count}`; of `one` and `other` its first value chooses. Names with `[]`
 * are those of values that may have none.
 */
import german from '../../../locales/de.json' with { type: 'json' }
import english from '../../../locales/en.json' with { type: 'json' }

export type Language = 'en' | 'de'
export type Namespace = keyof typeof english
export type TextsIn<Name extends Namespace> = Texts<(typeof english)[Name]>

type Texts<All> = {
  readonly [Key in keyof All as Called<Key>]: Key extends `${string}(${infer Names})`
    ? (...values: Values<Names>) => string
    : Key extends `${string}[]`
      ? Readonly<Record<string, string>>
      : All[Key] extends string
        ? string
        : Texts<All[Key]>
}
type Called<Key> = Key extends `${infer Name}(${string}` ? Name : Key extends `${infer Name}[]` ? Name : Key
type Values<Names> = Names extends `${string}, ${infer Rest}` ? [string | number, ...Values<Rest>] : [string | number]

export const LOCALES: Readonly<Record<Language, typeof english>> = {
  en: english satisfies typeof german,
  de: german satisfies typeof english,
}

export function inLanguages<Name extends Namespace>(
  name: Name,
): (reader: { readonly language: Language }) => TextsIn<Name> {
  return inEach((language) => textsIn(LOCALES[language][name]) as TextsIn<Name>)
}

/** Made once for each language, when it is first read. */
export function inEach<Made>(make: (language: Language) => Made): (reader: { readonly language: Language }) => Made {
  const made = new Map<Language, Made>()
  return ({ language }) => {
    const texts = made.get(language) ?? make(language)
    made.set(language, texts)
    return texts
  }
}

function textsIn(all: object): object {
  return Object.fromEntries(
    Object.entries(all).map(([key, text]: [string, string | object]) => {
      const [, name = key, names] = /^(\w+)(?:\((.*)\)|\[\])$/.exec(key) ?? []
      if (names !== undefined) return [name, filledIn(text as Text, names.split(', '))]
      return [name, typeof text === 'string' ? text : textsIn(text)]
    }),
  )
}

type Text = string | { readonly one: string; readonly other: string }

function filledIn(text: Text, names: readonly string[]): (...values: readonly (string | number)[]) => string {
  return (...values) => {
    const chosen = typeof text === 'string' ? text : text[String(values[0]) === '1' ? 'one' : 'other']
    return chosen.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[names.indexOf(name)]))
  }
}
