import { expect, it } from 'vitest'
import { SCOPES } from '../domain/grants/scopes.ts'
import { chooseLanguage, textsOf } from './texts.ts'

it.each([
  [undefined, undefined, 'en'],
  [undefined, 'de', 'de'],
  [undefined, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
  [undefined, 'en;q=0.5, de;q=0.9', 'de'],
  [undefined, 'fr, es', 'en'],
  [undefined, 'de;q=0, en', 'en'],
  [undefined, 'de;q=x', 'en'],
  [undefined, ';;;,,', 'en'],
  ['de', 'en', 'de'],
  ['fr de-CH', 'en', 'de'],
  ['xx', 'de', 'de'],
])('OIDC-P7: ui_locales %j, Accept-Language %j -> %s', (uiLocales, accepted, language) =>
  expect(chooseLanguage(uiLocales, accepted)).toBe(language),
)
it('OIDC-C1: every scope is in plain words in both languages', () => {
  for (const language of ['en', 'de'] as const)
    for (const scope of SCOPES) expect(textsOf(language).scopes[scope]).toBeTruthy()
})
