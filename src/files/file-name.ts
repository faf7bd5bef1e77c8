/** File names from charge points and browsers: shown and offered, never used on our disk (FIRMWARE-F6). */

const MAX_CHARACTERS = 120
/** Useless in a name, and dangerous in a header, a path or a terminal. */
const UNSAFE = /[^\p{L}\p{N} ._()+-]/gu

/** @param fallback for names without usable characters */
export function safeFileName(given: string | undefined, fallback: string): string {
  const last = (given ?? '').slice(-1000).split(/[/\\]/).at(-1) ?? ''
  const name = last
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '')
  const characters = [...name]
  if (characters.length === 0) return fallback
  // Keeps the extension.
  return characters.length <= MAX_CHARACTERS
    ? name
    : characters
        .slice(-MAX_CHARACTERS)
        .join('')
        .replace(/^[. ]+/, '')
}

export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, escaped)}`
}

function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
