/**
 * Text in NFC, so that what looks alike is alike. Sorting combining marks takes time with the square of their number,
 * so text that is too long anyway stays as it was typed (OIDC-U9).
 * @param most characters that may be kept of it; one may be typed as several
 */
export function composed(text: string, most: number): string {
  return text.length > most * TYPED_AS ? text : text.normalize('NFC')
}

/** A surrogate pair, or a letter with its marks. */
const TYPED_AS = 4
