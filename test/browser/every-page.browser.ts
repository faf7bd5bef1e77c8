/** Each page as each role sees it: accessible, no wider than its window, and without what the role may not do. */
import { isDeepStrictEqual } from 'node:util'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { may, type Permission } from '../../src/domain/accounts/roles.ts'
import { NAVIGATION, OWN } from '../../src/web/navigation.ts'
import { launch, overflow, PHONE, signIn, violations, violationsWithoutScripts, WIDE } from './chromium.ts'
import { DOORS, FILES, FORMS, PAGES, type Table } from './page-table.ts'
import { openSeededHouse, PASSWORD, type SeededHouse, type Seeing, USERS } from './seeded-house.ts'

const ROLES = Object.keys(USERS) as Seeing[]
/** Each of script, width and colour with each of the others once. */
const LOOKS = [
  { javaScriptEnabled: true, viewport: WIDE, colorScheme: 'light' },
  { javaScriptEnabled: true, viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' },
  { javaScriptEnabled: false, viewport: WIDE, colorScheme: 'dark', locale: 'de-DE' },
  { javaScriptEnabled: false, viewport: PHONE, colorScheme: 'light' },
] as const satisfies readonly BrowserContextOptions[]
/** An administrator sees every page in every look; of the others' pages, which are some of these, two looks each. */
const looksOf = (role: Seeing): readonly (typeof LOOKS)[number][] =>
  role === 'administrator' ? LOOKS : LOOKS.filter((_, at) => (at % 2 === 0) === (role === 'operator'))
/** 40 pages, and axe looks at every element of each. */
const LONG_MS = 180_000

type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>

let seeded: SeededHouse
let browser: Browser
const signedIn = new Map<Seeing, Cookies>()

beforeAll(async () => {
  seeded = await openSeededHouse()
  browser = await launch()
  for (const role of ROLES) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await signIn(page, seeded.dashboard, USERS[role], PASSWORD)
    await page.route(`${seeded.back}*`, (route) => route.fulfill({ body: 'arrived' }))
    await page.goto(seeded.authorize)
    await page.click('button[value=approve]')
    await page.waitForURL(`${seeded.back}*`)
    signedIn.set(role, await context.storageState())
    await context.close()
  }
})
// Also of a test that failed: a page that is left open goes on asking.
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser?.close()
  await seeded?.close()
})

async function contextOf(role: Seeing, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const storageState = signedIn.get(role)
  return browser.newContext({ ...options, ...(storageState && { storageState }) })
}

/** Below the dashboard, in the order in which they are tried. */
const routes = (): readonly string[] =>
  seeded.house.routes
    .filter(({ path, method }) => method === 'ALL' && /^\/dashboard(?!\/\*|\/$)/.test(path))
    .map(({ path }) => path.slice('/dashboard'.length))

/** Which route an address below the dashboard belongs to. */
function routeOf(address: string): string | undefined {
  const { pathname } = new URL(address, seeded.dashboard)
  const path = pathname.replace(/^\/dashboard/, '')
  return routes().find((route) =>
    new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  )
}

const GETS: Table = { ...PAGES, ...DOORS, ...FILES }
const allowed = (table: Table, role: Seeing): readonly string[] =>
  Object.keys(table).filter((route) => may(role, table[route] ?? 'administrator'))
const forbidden = (table: Table, role: Seeing): readonly string[] =>
  Object.keys(table).filter((route) => !may(role, table[route] ?? 'anybody'))

/** Links and forms of a page, without the doors; a form that only asks for a page is a link. */
function leadsOf(html: string): { readonly links: readonly string[]; readonly forms: readonly string[] } {
  const found = (pattern: RegExp): string[] =>
    [...html.matchAll(pattern)].map(([, address = '']) => address.replaceAll('&amp;', '&'))
  const asking = found(/<form\b[^>]*\smethod="get"[^>]*\saction="(\/dashboard[^"]*)"/g)
  const links = [...found(/<a\b[^>]*\shref="(\/dashboard[^"]*)"/g), ...asking]
  return { links, forms: found(/<form\b[^>]*\smethod="post"[^>]*\saction="([^"]*)"/g) }
}

/** An address for each page that links lead to, from the first page on. */
async function crawl(role: Seeing): Promise<ReadonlyMap<string, string>> {
  const context = await contextOf(role)
  const found = new Map([['', '/dashboard']])
  for (const [route, address] of found) {
    if (!(route in PAGES)) continue
    const html = await (await context.request.get(new URL(address, seeded.dashboard).href)).text()
    for (const link of leadsOf(html).links) {
      const next = routeOf(link)
      if (next !== undefined && !found.has(next)) found.set(next, link)
    }
  }
  await context.close()
  return new Map([...found].filter(([route]) => route in PAGES))
}

describe('the table of pages', () => {
  it('CONSOLE-A18: has every address below the dashboard, and what is sent there', async () => {
    const context = await contextOf('administrator')
    const mounted = { GET: [] as string[], POST: [] as string[] }
    for (const route of routes()) {
      const answer = await context.request.fetch(`${seeded.dashboard}${route}`, { method: 'PUT' })
      const allow = answer.headers().allow ?? ''
      for (const method of ['GET', 'POST'] as const) if (allow.includes(method)) mounted[method].push(route)
    }
    await context.close()
    const doors = Object.keys(DOORS)
    expect(mounted.GET.toSorted()).toEqual(Object.keys(GETS).toSorted())
    expect(mounted.POST.filter((route) => !doors.includes(route)).toSorted()).toEqual(Object.keys(FORMS).toSorted())
  })

  it('CONSOLE-A18: says of each entry of the navigation whom it is for', () => {
    const entries = [...NAVIGATION.flatMap(({ entries }) => entries), ...OWN]
    const permissions = { anybody: 'anybody', sees: 'see', administrator: 'administrator' } as const
    for (const { path, who } of entries) expect([path, PAGES[path]]).toEqual([path, permissions[who]])
  })
})

describe('lists on a phone', () => {
  it('CONSOLE-F2: cut no time, state or action short, in German either', async () => {
    const found = await crawl('administrator')
    const context = await contextOf('administrator', { viewport: PHONE, locale: 'de-DE' })
    const page = await context.newPage()
    const station = '/charge-points/:chargePoint'
    for (const route of ['/audit', '/certificates', '/alerts', `${station}/logs`, `${station}/variables`]) {
      await page.goto(new URL(found.get(route) ?? '', seeded.dashboard).href)
      const cells = page.locator('table.one-line td:not(.name)').filter({ visible: true })
      expect(await cells.count()).toBeGreaterThan(0)
      const cut = await cells.evaluateAll((all) =>
        all.filter((one) => one.scrollWidth > one.clientWidth).map(({ textContent }) => textContent),
      )
      expect([route, cut]).toEqual([route, []])
    }
    await context.close()
  })

  it('CONSOLE-F2, CONSOLE-C8: show what each part of a charge cost, without scrolling sideways', async () => {
    const found = await crawl('administrator')
    const context = await contextOf('administrator', { viewport: PHONE, locale: 'de-DE' })
    const page = await context.newPage()
    await page.goto(new URL(found.get('/charging-sessions/:sessionId') ?? '', seeded.dashboard).href)
    const sum = page.locator('tr:has(th:text("Summe")) td').last()
    const box = await sum.boundingBox()
    expect(box && box.x + box.width).toBeLessThanOrEqual(PHONE.width)
    await context.close()
  })
})

describe('lists on a desk', () => {
  it('CONSOLE-F2: cut no time short, in German either', async () => {
    const found = await crawl('administrator')
    const context = await contextOf('administrator', { viewport: WIDE, locale: 'de-DE' })
    const page = await context.newPage()
    for (const route of ['/audit', '/alerts', '/charging-sessions', '/charge-points']) {
      await page.goto(new URL(found.get(route) ?? '', seeded.dashboard).href)
      const times = page.locator('table.one-line td time').filter({ visible: true })
      expect(await times.count()).toBeGreaterThan(0)
      const cut = await times.evaluateAll((all) => {
        const right = (one: (typeof all)[number]) => one.getBoundingClientRect().right
        return all.filter((one) => right(one) > right(one.closest('td'))).map(({ textContent }) => textContent)
      })
      expect([route, cut]).toEqual([route, []])
    }
    await context.close()
  })
})

describe.each(ROLES)('as %s', (role) => {
  it('ADMIN-A1, CONSOLE-A18: links lead to every page that may be seen', async () => {
    const found = await crawl(role)
    expect([...found.keys()].toSorted()).toEqual(allowed(PAGES, role).toSorted())
  })

  it('ADMIN-A1, CONSOLE-A18: what is not allowed is refused', async () => {
    const context = await contextOf(role)
    const refused = async (method: string, route: string): Promise<void> => {
      const address = `${seeded.dashboard}${route.replaceAll(/:\w+/g, 'CP-1')}`
      const answer = await context.request.fetch(address, {
        method,
        headers: { origin: new URL(seeded.dashboard).origin },
        ...(method === 'POST' && { form: { csrf: 'x' } }),
      })
      expect([method, route, answer.status()]).toEqual([method, route, 403])
    }
    for (const route of forbidden(GETS, role)) await refused('GET', route)
    for (const route of forbidden(FORMS, role)) await refused('POST', route)
    await context.close()
  })

  it.each(looksOf(role))(
    'CONSOLE-A6, CONSOLE-A18: axe finds nothing, and nothing leads where the role may not go: $javaScriptEnabled $viewport.width $colorScheme',
    async (look) => {
      const addresses = await crawl(role)
      const broken = look.javaScriptEnabled ? violations : violationsWithoutScripts
      const context = await contextOf(role, look)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      const found: unknown[] = []
      for (const [route, address] of addresses) {
        const answer = await page.goto(new URL(address, seeded.dashboard).href)
        const { links, forms } = leadsOf(await page.content())
        const seen = {
          status: answer?.status(),
          broken: await broken(page),
          overflow: await overflow(page),
          script: await page.evaluate('window.broken'),
          links: links.filter((link) => !mayGo(role, GETS[routeOf(link) ?? 'nowhere'])),
          forms: forms.filter((form) => !mayGo(role, FORMS[routeOf(form) ?? 'nowhere'])),
        }
        const desired = { status: 200, broken: [], overflow: 0, script: undefined, links: [], forms: [] }
        if (!isDeepStrictEqual(seen, desired)) found.push([route, seen])
      }
      expect(found).toEqual([])
      expect(complaints).toEqual([])
      await context.close()
    },
    LONG_MS,
  )
})

function mayGo(role: Seeing, permission: Permission | undefined): boolean {
  return permission !== undefined && may(role, permission)
}
