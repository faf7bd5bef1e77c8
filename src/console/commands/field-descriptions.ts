/** What the fields of a command mean where the official schema is silent: all of OCPP 1.6, some lists of 2.0.1. */
import { type Language, LOCALES } from '../../web/words/in-languages.ts'

/** Of a field of this command, or of any field with its name. @param pointer with the groups of the field */
export function descriptionOf(method: string, pointer: string, language: Language): string | undefined {
  const known: Readonly<Record<string, string>> = LOCALES[language].commandFields
  return [method + pointer, pointer.split('/').at(-1) ?? ''].flatMap((key) =>
    Object.hasOwn(known, key) ? [known[key]] : [],
  )[0]
}
