import type { Reason } from '../../domain/limit-groups/shares.ts'
import { inLanguages, type Language } from '../words/in-languages.ts'

const wordsOf = inLanguages('limitReasons')

/** Why a connector may draw what it may. */
export function reasonText(reason: Reason, language: Language = 'en'): string {
  const words = wordsOf({ language })
  return 'group' in reason ? words[reason.code](reason.group) : words[reason.code]
}
