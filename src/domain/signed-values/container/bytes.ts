/** Hex with blanks and `0x`, base64 in either alphabet, padded or not; in linear time, undefined if it is neither. */

export type Encoding = 'plain' | 'hex' | 'base64'

export function hexBytes(text: string): Buffer | undefined {
  const digits = text.replace(/^\s*0x/i, '').replaceAll(/[\s:-]/g, '')
  if (digits === '' || digits.length % 2 === 1 || !/^[0-9a-f]+$/i.test(digits)) return undefined
  return Buffer.from(digits, 'hex')
}

export function base64Bytes(text: string): Buffer | undefined {
  const letters = text.replaceAll(/\s/g, '')
  if (letters === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(letters)) return undefined
  if (letters.replaceAll('=', '').length % 4 === 1) return undefined
  return Buffer.from(letters, 'base64')
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    const text = UTF8.decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
