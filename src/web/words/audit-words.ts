import { LOCALES } from '../../application/words/in-languages.ts'
import type { Frame } from '../entries.tsx'

/** A form and the operation that does the same share their words: each key names all of them. */
const byKind = ({ audit }: typeof LOCALES.en): ReadonlyMap<string, string> =>
  new Map(Object.entries(audit).flatMap(([kinds, words]) => kinds.split(' ').map((kind) => [kind, words])))

const BY_KIND = { en: byKind(LOCALES.en), de: byKind(LOCALES.de) }

/** A kind without words is called as it was recorded. */
export function doneWords({ language, texts }: Pick<Frame, 'language' | 'texts'>, kind: string): string {
  return BY_KIND[language].get(kind) ?? (texts.activities as Readonly<Record<string, string>>)[kind] ?? kind
}
