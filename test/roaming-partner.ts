/** A whole e-mobility provider for tests, over real HTTP: registers and is registered with, rotates, has tokens. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './house.ts'

export interface OcpiReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: { readonly status_code?: number; readonly status_message?: string; readonly data?: unknown }
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly headers: IncomingMessage['headers']
  readonly body: Json | undefined
}

interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** In place of an envelope. */
  readonly text?: string
  readonly code?: number
  readonly data?: unknown
}

type Version = '2.2.1' | '2.3.0'

const ROLES = [{ role: 'EMSP', party_id: 'EMP', country_code: 'NL', business_details: { name: 'Elsewhere' } }]

export async function startProvider(versions: readonly Version[] = ['2.2.1', '2.3.0']) {
  let count = 0
  const fresh = (): string => `provider-token-${++count}`
  const state = {
    /** With which it may be called. */
    valid: new Set<string>(),
    /** With which it calls. */
    token: '',
    /** The operator's versions. */
    operator: '',
    /** Of the operator, by module. */
    endpoints: new Map<string, string>(),
    tokens: [] as Json[],
    /** Modules that it receives. */
    receives: [] as string[],
    pageLength: 2,
    roles: ROLES as readonly Json[],
    asked: [] as Asked[],
    /** Instead of what it would answer; `undefined` goes on. */
    instead: (_: Asked): Reply | 'hang up' | undefined | Promise<Reply | 'hang up' | undefined> => undefined,
  }
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const header = request.headers.authorization ?? ''
    const asked: Asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      token: Buffer.from(header.replace('Token ', ''), 'base64').toString(),
      headers: request.headers,
      body: text === '' ? undefined : (JSON.parse(text) as Json),
    }
    state.asked.push(asked)
    const reply = (await state.instead(asked)) ?? (await answer(asked))
    if (reply === 'hang up') return void request.socket.destroy()
    const { status = 200, headers = {}, code = 1000, data } = reply
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(reply.text ?? JSON.stringify({ status_code: code, timestamp: new Date().toISOString(), data }))
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `${root}/versions`

  const credentials = (token: string) => ({ token, url, roles: state.roles })

  /** The one that was used is the newest: older ones end. */
  const isValid = (token: string): boolean => {
    if (!state.valid.has(token)) return false
    const all = [...state.valid]
    for (const older of all.slice(0, all.indexOf(token))) state.valid.delete(older)
    return true
  }

  const answer = async ({ method, path, token, body }: Asked): Promise<Reply> => {
    if (!isValid(token)) return { status: 401, code: 2000 }
    const { pathname, searchParams } = new URL(path, root)
    const [, version = '', module] = pathname.split('/')
    if (version === 'versions') return { data: versions.map((one) => ({ version: one, url: `${root}/${one}` })) }
    if (module === undefined) {
      const endpoint = (identifier: string, role: string) => ({
        identifier,
        role,
        url: `${root}/${version}/${identifier}`,
      })
      const receivers = state.receives.map((identifier) => endpoint(identifier, 'RECEIVER'))
      const endpoints = [endpoint('credentials', 'SENDER'), endpoint('tokens', 'SENDER'), ...receivers]
      return { data: { version, endpoints } }
    }
    if (module === 'credentials' && method === 'DELETE') {
      state.valid.clear()
      return {}
    }
    if (module === 'credentials' && body) {
      // The specification: read the other side's endpoints first, with the token that was sent.
      await learn(String(body.url), String(body.token), version as Version)
      state.token = String(body.token)
      const own = fresh()
      state.valid.add(own)
      return { data: credentials(own) }
    }
    if (state.receives.includes(module)) return {}
    const offset = Number(searchParams.get('offset') ?? 0)
    const next = offset + state.pageLength
    const link = { link: `<https://behind.a.proxy/${version}/tokens?offset=${next}>; rel="next"` }
    return {
      headers: next < state.tokens.length ? link : {},
      data: state.tokens.slice(offset, next),
    }
  }

  const call = async (
    method: string,
    address: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OcpiReply> => {
    const response = await fetch(address, {
      method,
      headers: {
        authorization: `Token ${Buffer.from(state.token).toString('base64')}`,
        'x-request-id': 'r-1',
        'x-correlation-id': 'c-1',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : {} }
  }

  const learn = async (versionsUrl: string, token: string, version: Version): Promise<void> => {
    const before = state.token
    state.token = token
    try {
      const list = (await call('GET', versionsUrl)).body.data as { version: string; url: string }[]
      const address = list.find((one) => one.version === version)?.url ?? ''
      const details = (await call('GET', address)).body.data as { endpoints: { identifier: string; url: string }[] }
      state.operator = versionsUrl
      state.endpoints = new Map(details.endpoints.map((one) => [one.identifier, one.url]))
    } finally {
      state.token = before
    }
  }

  const at = (module: string, below = ''): string => `${state.endpoints.get(module)}${below}`

  /** POST, or PUT when registered: a new token for the operator, and with it one for us. */
  const exchange = async (method: 'POST' | 'PUT'): Promise<OcpiReply> => {
    const own = fresh()
    state.valid.add(own)
    const reply = await call(method, at('credentials'), credentials(own))
    const { data } = reply.body as { data?: { token: string } }
    if (data) state.token = data.token
    return reply
  }

  return Object.assign(state, {
    url,
    root,
    fresh,
    answer,
    call,
    learn,
    at,
    exchange,
    credentials,
    async register(versionsUrl: string, tokenA: string, version: Version = '2.3.0') {
      await learn(versionsUrl, tokenA, version)
      state.token = tokenA
      return exchange('POST')
    },
    /** What it was pushed. */
    pushed: (module: string): readonly Asked[] =>
      state.asked.filter(({ method, path }) => method !== 'GET' && path.split('/')[2] === module),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  })
}

export type Provider = Awaited<ReturnType<typeof startProvider>>

export const customerToken = (uid: string, more: Json = {}): Json => ({
  country_code: 'NL',
  party_id: 'EMP',
  uid,
  type: 'RFID',
  contract_id: `NL-EMP-C${uid}`,
  issuer: 'Elsewhere',
  valid: true,
  whitelist: 'ALLOWED',
  last_updated: '2026-11-29T10:00:00Z',
  ...more,
})
