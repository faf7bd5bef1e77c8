/** The S.A.F.E. transparency software's "XML Format": `values` of `value`, `signedData`, `publicKey` (SIGNED-X2). */
import { readPublicKey } from './signature/curves.ts'
import { namedCurve } from './signature/verify.ts'
import type { Moment, ReadSignedValue } from './view.ts'

export const XML_BEGIN = '<?xml version="1.0" encoding="UTF-8"?>\n<values>\n'
export const XML_END = '</values>\n'

const CONTEXTS: Readonly<Record<Moment, string | undefined>> = {
  begin: 'Transaction.Begin',
  end: 'Transaction.End',
  other: undefined,
}

/** Names that the software knows, by the encoding methods of the field. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['ocmf', 'OCMF'],
  ['alfen', 'ALFEN'],
  ['pcdf', 'PCDF'],
  ['edl40', 'EDL_40_P'],
  ['edl40p', 'EDL_40_P'],
  ['edl40sig', 'EDL_40_SIG'],
  ['edl40mennekes', 'EDL_40_MENNEKES'],
  ['isaedl40p', 'ISA_EDL_40_P'],
])

/** @param transaction the number that ties begin and end together: the software takes digits only */
export function valueXml(read: ReadSignedValue, transaction: string): string {
  const context = CONTEXTS[read.context] ?? read.value.context
  const { body, encoding } = signedBody(read)
  const attributes = { format: formatOf(read), encoding, transactionId: transaction }
  const key = read.publicKey === undefined ? '' : `    ${publicKeyXml(read, read.publicKey)}\n`
  return `  <value${written({ transactionId: transaction, context })}>
    <signedData${written(attributes)}>${escaped(body)}</signedData>
${key}  </value>\n`
}

/** Text is shown as text; what XML cannot hold is shown in base64. */
function signedBody({ opened }: ReadSignedValue): { readonly body: string; readonly encoding: string } {
  const { text, encoding, signedData } = opened
  if (text !== undefined && isXmlText(text)) return { body: text.trim(), encoding: 'plain' }
  if (isXmlText(signedData)) return { body: signedData.trim(), encoding }
  return { body: Buffer.from(signedData).toString('base64'), encoding: 'base64' }
}

function formatOf({ ocmf, opened, value }: ReadSignedValue): string | undefined {
  if (ocmf) return 'OCMF'
  if (/^\s*AP;/.test(opened.text ?? '')) return 'ALFEN'
  const method = value.encodingMethod ?? opened.encodingMethod
  return method === undefined ? undefined : FORMATS.get(method.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
}

/** The software reads hex; an unreadable key is shown as it was sent. */
function publicKeyXml({ ocmf, value, opened }: ReadSignedValue, publicKey: string): string {
  const key = readPublicKey(publicKey, namedCurve(ocmf, value.signingMethod ?? opened.signingMethod))
  if (!key) return `<publicKey>${escaped(isXmlText(publicKey) ? publicKey.trim() : '')}</publicKey>`
  const hex = key.export({ type: 'spki', format: 'der' }).toString('hex').toUpperCase()
  return `<publicKey encoding="hex">${hex}</publicKey>`
}

function written(attributes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined && isXmlText(value))
    .map(([name, value]) => ` ${name}="${escaped(value ?? '').replaceAll('"', '&quot;')}"`)
    .join('')
}

/** The characters of XML 1.0, without halves of pairs. */
function isXmlText(text: string): boolean {
  return !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text)
}

/** A carriage return would be read as a line feed, and the signature with it would be another one's. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
}
