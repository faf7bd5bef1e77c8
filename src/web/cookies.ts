/** The cookies of the dashboard (OIDC-L1): names, attributes, random values. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { deleteCookie, setCookie } from 'hono/cookie'
import type { PageContext, Site } from './site.ts'

/**
 * sid: the login session. browser: which browser it is, before and after sign-in (OIDC-A16, OIDC-L3).
 * sso: a sign-in by the company's provider on its way (ADMIN-K5).
 * device: a browser with an earlier sign-in (OIDC-L4).
 */
type CookieName = 'sid' | 'browser' | 'device' | 'sso'

const BROWSER_ID_BYTES = 32
const DAY_SECONDS = 86_400
/** Chromium keeps no cookie longer than 400 days. */
const LIFETIME_SECONDS: Readonly<Record<CookieName, number>> = {
  sid: 90 * DAY_SECONDS,
  browser: 400 * DAY_SECONDS,
  device: 400 * DAY_SECONDS,
  sso: 600,
}

type CookieContext = Pick<Site, 'config'>

export function readCookie(context: PageContext, { config }: CookieContext, name: CookieName): string | undefined {
  return cookieValue(context.req.header('cookie') ?? '', fullName(config.dashboardUrl, name))
}

/** The first of that name, undecoded: decoding foreign values may take long (OIDC-U9). Empty counts as absent. */
export function cookieValue(header: string, name: string): string | undefined {
  const pair = header.split(';').find((text) => text.trimStart().startsWith(`${name}=`))
  return pair?.slice(pair.indexOf('=') + 1).trim() || undefined
}

export function writeCookie(context: PageContext, { config }: CookieContext, name: CookieName, value: string): void {
  setCookie(context, fullName(config.dashboardUrl, name), value, {
    httpOnly: true,
    // Lax, because the way back from an application's page is a cross-site navigation.
    sameSite: 'Lax',
    path: '/',
    secure: isSecure(config.dashboardUrl),
    maxAge: LIFETIME_SECONDS[name],
  })
}

export function clearCookie(context: PageContext, { config }: CookieContext, name: CookieName): void {
  deleteCookie(context, fullName(config.dashboardUrl, name), { path: '/', secure: isSecure(config.dashboardUrl) })
}

/** Of browsers that were given one by this very answer: a page with two forms has one name in both. */
const given = new WeakMap<PageContext, string>()

/** The browser's own random name; given now if it has none. */
export function browserId(context: PageContext, site: Pick<Site, 'config' | 'random'>): string {
  const sent = readCookie(context, site, 'browser') ?? ''
  const known = /^[A-Za-z0-9_-]{43}$/.test(sent) ? sent : given.get(context)
  if (known !== undefined) return known
  const fresh = site.random(BROWSER_ID_BYTES).toString('base64url')
  writeCookie(context, site, 'browser', fresh)
  given.set(context, fresh)
  return fresh
}

/** `__Host-`: no other host and no plain connection can set it. Browsers allow it on https only. */
function fullName(dashboardUrl: string, name: CookieName): string {
  return `${isSecure(dashboardUrl) ? '__Host-' : ''}pilotwire_${name}`
}

function isSecure(dashboardUrl: string): boolean {
  return dashboardUrl.startsWith('https:')
}

/** Hex. */
export function macOf(key: Uint8Array, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex')
}

/** Both in hex. */
export function equalHashes(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')]
  return left.length === right.length && timingSafeEqual(left, right)
}
