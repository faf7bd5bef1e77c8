/** `/docs`: the page that the build rendered (scripts/docs), with what only the running server knows. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import { type FixedDocument, fixedDocument } from '../../web/fixed-document.ts'
import type { Api } from '../api-parts.ts'
import { basePathOf } from '../requests/base-path.ts'

/** The base URL that the page is rendered with. Each server has its own, and puts it and its path there. */
export const RENDERED_BASE_URL = 'https://pilotwire.invalid/base-path'
const ADDRESSES = new RegExp(`${RENDERED_BASE_URL}|${basePathOf(RENDERED_BASE_URL)}`, 'g')

/** Beside the bundle, or in dist/ when the sources run in the tests. */
const FILE = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/docs.html' : './docs.html', import.meta.url)
/** `/metrics`, in the index and as an article. */
const METRICS = /<li><a href="#metrics">.*?<\/li>|<article id="metrics">.*?<\/article>/gs

export function docsDocument(
  { settings: { baseUrl }, metricsElsewhere }: Pick<Api, 'settings' | 'metricsElsewhere'>,
  headers: Readonly<Record<string, string>>,
): FixedDocument {
  const rendered = readFileSync(FILE, 'utf8')
  const page = (metricsElsewhere ? rendered.replaceAll(METRICS, '') : rendered).replaceAll(ADDRESSES, (address) =>
    String(html`${address === RENDERED_BASE_URL ? baseUrl : basePathOf(baseUrl)}`),
  )
  const policy = `default-src 'none'; style-src ${hashOf(page, 'style')}; script-src ${hashOf(page, 'script')}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return fixedDocument(() => page, {
    'content-type': 'text/html; charset=UTF-8',
    'content-security-policy': policy,
    ...headers,
  })
}

/** The page allows itself nothing but its own style sheet and script, and calls of this server. */
function hashOf(page: string, element: string): string {
  const start = page.indexOf('>', page.indexOf(`<${element}`)) + 1
  const content = page.slice(start, page.indexOf(`</${element}>`))
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
