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

/** SIGNED-K2: keys on OCMF's curves take 124 bytes; nothing long is given to any library. */
const MAX_BYTES = 1024
const MAX_TEXT_LENGTH = 8192
/** base64 of `oca:base64:asn1:` and base64. */
const LAYERS = 4

export function keyBytes(text: string, layers = LAYERS): Buffer | undefined {
  if (text.length > MAX_TEXT_LENGTH || layers === 0) return undefined
  const trimmed = text.trim()
  const pem = /^-----BEGIN PUBLIC KEY-----([^-]*)-----END PUBLIC KEY-----$/.exec(trimmed)
  if (pem) return short(base64Bytes(pem[1] ?? ''))
  const named = /^oca:(base16|base64):[^:]*:/i.exec(trimmed)
  if (named) {
    const printed = trimmed.slice(named[0].length)
    return short(named[1]?.toLowerCase() === 'base16' ? printedHex(printed) : base64Bytes(printed))
  }
  const hex = hexBytes(trimmed)
  if (hex) return short(hex)
  const decoded = base64Bytes(trimmed)
  if (!decoded) return undefined
  const inner = utf8Text(decoded)
  return (inner !== undefined && keyBytes(inner, layers - 1)) || short(decoded)
}

function printedHex(text: string): Buffer | undefined {
  return hexBytes(text.replace(/^\s*0x/i, '').replaceAll(/[^0-9a-f]/gi, ''))
}

function short(bytes: Buffer | undefined): Buffer | undefined {
  return bytes && bytes.length <= MAX_BYTES ? bytes : undefined
}
