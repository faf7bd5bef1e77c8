/** For tests: a browser with cookies, and what a person reads and fills in on our pages. */
/** Follows nothing by itself, keeps cookies, and sends forms as a browser would. */
export class Browser {
  readonly cookies = new Map<string, string>()
  private readonly baseUrl: string
  private readonly headers: Record<string, string>

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.baseUrl = baseUrl
    this.headers = headers
  }

  async get(address: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(address, { headers })
  }

  /** The text of a page. @throws Where it is answered with another status */
  async page(address: string, status = 200): Promise<string> {
    const response = await this.get(address)
    if (response.status !== status) throw new Error(`${address}: ${response.status} ${await response.text()}`)
    return response.text()
  }

  async post(
    address: string,
    fields: Record<string, string> | URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const own = { origin: this.baseUrl, 'sec-fetch-site': 'same-origin', ...headers }
    return this.send(address, { method: 'POST', body: new URLSearchParams(fields), headers: own })
  }

  async send(address: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(address, this.baseUrl), {
      ...init,
      redirect: 'manual',
      headers: { ...this.headers, ...(init.headers as Record<string, string>), ...(cookie && { cookie }) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }
}

/** The value of a hidden field, as often as forms have it. */
export function fieldsOf(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map((match) => match[1] ?? '')
}

export function formPath(html: string, ending: string): string {
  const match = [...html.matchAll(/action="([^"]*)"/g)]
    .map((found) => found[1] ?? '')
    .find((path) => path.endsWith(ending))
  if (match === undefined) throw new Error(`There is no form that ends in ${ending}: ${html.slice(0, 2000)}`)
  return match
}

/** The CSRF token of the form with that action. */
export function csrfOf(html: string, ending: string): string {
  const form = html.split('<form').find((part) => part.includes(`action="${formPath(html, ending)}"`)) ?? ''
  return fieldsOf(form, 'csrf')[0] ?? ''
}
