/** ALERT-M4: nothing of what a charge point or a user wrote ends a line, hides or turns what stands behind it. */

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** @param most characters; a longer text ends with an ellipsis */
export function oneLine(text: string, most: number): string {
  const characters = [
    ...text
      .slice(0, 4 * most)
      .replace(UNPRINTABLE, ' ')
      .trim(),
  ]
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`
}
