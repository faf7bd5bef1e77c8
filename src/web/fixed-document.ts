/** A document rendered and compressed once: per request, `/docs` could keep charge points waiting (OIDC-U9). */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

interface Variant {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/** @returns the answer to one request: 200 with the bytes, or 304 */
export type FixedDocument = (asking: { header(name: string): string | undefined }) => Promise<Response>

/** What is smaller fits into one packet anyway. */
const WORTH_COMPRESSING_BYTES = 1400
const MAX_ENTRIES = 50

/** @param render called at the first request, and never again */
export function fixedDocument(render: () => string, headers: Readonly<Record<string, string>>): FixedDocument {
  let plain: Variant | undefined
  let compressed: Promise<Variant | undefined> | undefined
  const compress = async ({ bytes, headers }: Variant): Promise<Variant | undefined> => {
    if (bytes.length < WORTH_COMPRESSING_BYTES) return undefined
    const packed = new Uint8Array(await promisify(gzip)(bytes))
    return { bytes: packed, headers: { ...headers, etag: etagOf(packed), 'content-encoding': 'gzip' } }
  }
  return async (asking) => {
    if (!plain) {
      const bytes = new TextEncoder().encode(render())
      plain = { bytes, headers: { ...headers, etag: etagOf(bytes), vary: 'Accept-Encoding' } }
    }
    compressed ??= compress(plain).catch(() => undefined)
    const variant = (takesGzip(asking.header('accept-encoding')) && (await compressed)) || plain
    if (isNamed(asking.header('if-none-match'), variant.headers.etag ?? '')) {
      const { 'content-type': _, 'content-encoding': __, ...rest } = variant.headers
      return new Response(null, { status: 304, headers: rest })
    }
    return new Response(variant.bytes, { headers: variant.headers })
  }
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

/** RFC 9110 §13.1.2: compared weakly, because both variants hold the same document. */
export function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',', MAX_ENTRIES).map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}

/** RFC 9110 §12.5.3; a client that names nothing gets the plain text. */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  const entries = (acceptEncoding ?? '')
    .split(',', MAX_ENTRIES)
    .map((entry) => entry.split(';').map((part) => part.trim()))
  const entry = entries.find(([name]) => name?.toLowerCase() === 'gzip') ?? entries.find(([name]) => name === '*')
  return entry !== undefined && !/^q=0(\.0*)?$/i.test(entry[1] ?? '')
}

/** Files lie beside this one, and beside the bundle once it is built. */
const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16)

/** Gray is normal, red and amber mean that something needs attention, blue that a car charges. */
export const STYLE = ['tokens', 'frame', 'controls', 'states', 'panels', 'tables', 'charts']
  .map((name) => `\n${read(`./style/${name}.css`)}`)
  .join('')
export const STYLE_PATH = `/assets/style-${digestOf(STYLE)}.css`

/** The one script of the operator's pages. */
export const LIVE_MODULE = read('./live.js')
export const LIVE_MODULE_PATH = `/assets/live-${digestOf(LIVE_MODULE)}.js`

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#0b6b53"/>
<path d="M18 4 8 18h7l-2 10 11-15h-7z" fill="#fff"/>
</svg>
`
