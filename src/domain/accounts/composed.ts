/** In NFC (OIDC-U9). Sorting combining marks is quadratic: text with far more than `most` characters stays as typed. */
export function composed(text: string, most: number): string {
  return text.length > most * TYPED_AS ? text : text.normalize('NFC')
}

/** A surrogate pair, or a letter with its marks. */
const TYPED_AS = 4
