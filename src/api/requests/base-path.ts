/** A base URL may have a path: served below it, and at the root for proxies that cut the path off. */

/** `/charging`; empty where the base URL has no path. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

/** A request's API path. The issuer and the dashboard are mounted where they are announced: theirs stay whole. */
export function createApiPath(urls: {
  readonly baseUrl: string
  readonly dashboardUrl?: string | undefined
}): (path: string) => string {
  const basePath = basePathOf(urls.baseUrl)
  const withoutBasePath = belowBasePath(urls.baseUrl)
  const dashboard = urls.dashboardUrl === undefined ? '' : basePathOf(urls.dashboardUrl)
  const whole = [`${basePath}/1/oauth`, dashboard].filter((path) => path !== '')
  return (path) => (whole.some((root) => path === root || path.startsWith(`${root}/`)) ? path : withoutBasePath(path))
}

export function belowBasePath(baseUrl: string): (target: string) => string {
  const basePath = basePathOf(baseUrl)
  return (target) => (basePath !== '' && target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target)
}
