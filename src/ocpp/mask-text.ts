/** OCPP-LG5 within text: private keys, addresses of our files, passwords in `ftp://station:password@logs.example/`. */

export const MASK = '***'

const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/g

/**
 * Digits before a slash are a port and what follows is a path; any other slash is an unencoded one in the password.
 * A search ends at the next `://`, which keeps it linear.
 */
const ADDRESS_PASSWORD = /(:\/\/(?!\[)[^\s/?#:@]*:)(?:[^\s/?#]*@|(?!\d*[/?#])(?:(?!:\/\/)\S)*@)/g

/** FIRMWARE-F1: the address of a file is the permission to read or write it. */
const FILE_TOKEN = /(\/files\/)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g

const VALUE =
  /("(?:value|attributeValue|actualValue|idToken|password|\w+Password|simPin)"\s*:\s*)(?:"(?:[^"\\]|\\.)*(?:"|$)|[^\s",}\]]+)/gi

/** Masks secrets as `***`; returns the very same text when it has none. */
export function maskText(text: string): string {
  const unsigned = text.includes('/files/') ? text.replace(FILE_TOKEN, `$1${MASK}`) : text
  const keyless = unsigned.includes('PRIVATE KEY') ? unsigned.replace(PRIVATE_KEY, MASK) : unsigned
  return keyless.includes('@') ? keyless.replace(ADDRESS_PASSWORD, `$1${MASK}@`) : keyless
}

/** For text that is no JSON: every possible secret is masked. */
export function maskValues(text: string): string {
  return maskText(text).replace(VALUE, `$1"${MASK}"`)
}
