import { inLanguages } from '../../application/words/in-languages.ts'

export const ownPasswordTexts = inLanguages('ownAccount')
export const ssoTexts = inLanguages('singleSignOn')
