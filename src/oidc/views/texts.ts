import { inLanguages } from '../../web/words/in-languages.ts'

export const ownPasswordTexts = inLanguages('ownAccount')
export const ssoTexts = inLanguages('singleSignOn')
