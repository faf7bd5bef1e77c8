/** For tests: a company's OpenID provider on a real port. It checks what a provider must, and lies when told to. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { challengeOf } from '../../../../src/oidc/pkce.ts'

export const CLIENT_ID = 'pilotwire'
export const CLIENT_SECRET = 'nobody must read this in a log'

type Claims = Record<string, unknown>

/** What differs from an honest answer. */
export interface Lies {
  /** Members of the configuration; `undefined` takes one away. */
  discovery?: Claims
  idToken?: Claims
  /** A key that the provider does not publish. */
  otherKey?: boolean
  /** Without a signature. */
  algNone?: boolean
  userInfo?: Claims
  /** Of each answer but the configuration. */
  status?: number
  tokenBody?: string
}

export interface CompanyProvider {
  readonly issuer: string
  /** Of whoever signs in next. */
  person: Claims
  lies: Lies
  readonly asked: string[]
  /** What the browser brings back from the address that it was sent to. */
  readonly answer: (authorizationUrl: string) => string
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

export async function companyProvider(): Promise<CompanyProvider> {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', use: 'sig', alg: 'RS256' }
  const codes = new Map<string, { readonly query: URLSearchParams; readonly person: Claims }>()
  let port = 0

  const idToken = async (query: URLSearchParams, person: Claims): Promise<string> => {
    const at = Math.floor(Date.now() / 1000)
    const honest = { iss: provider.issuer, aud: CLIENT_ID, iat: at, exp: at + 60, nonce: query.get('nonce') }
    // OpenID Connect Core 1.0 §2: required where max_age was asked for.
    const authTime = query.has('max_age') && { auth_time: at }
    const payload = { ...honest, ...authTime, ...person, ...provider.lies.idToken } as JWTPayload
    if (provider.lies.algNone) {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${part({ alg: 'none' })}.${part(payload)}.`
    }
    const { privateKey } = provider.lies.otherKey ? other : own
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey)
  }
  const token = async (request: IncomingMessage): Promise<object> => {
    let text = ''
    for await (const piece of request) text += String(piece)
    const form = new URLSearchParams(text)
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const isRight =
      code !== undefined &&
      form.get('client_id') === CLIENT_ID &&
      form.get('client_secret') === CLIENT_SECRET &&
      form.get('redirect_uri') === code.query.get('redirect_uri') &&
      challengeOf(form.get('code_verifier') ?? '') === code.query.get('code_challenge')
    if (!isRight) return { error: 'invalid_grant' }
    return { access_token: 'a', token_type: 'Bearer', id_token: await idToken(code.query, code.person) }
  }
  const answerTo = async (request: IncomingMessage): Promise<object | undefined> => {
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return {
          issuer: provider.issuer,
          authorization_endpoint: `${provider.issuer}/authorize`,
          token_endpoint: `${provider.issuer}/token`,
          userinfo_endpoint: `${provider.issuer}/userinfo`,
          jwks_uri: `${provider.issuer}/jwks`,
          token_endpoint_auth_methods_supported: ['client_secret_post'],
          authorization_response_iss_parameter_supported: true,
          ...provider.lies.discovery,
        }
      case '/jwks':
        return { keys: [jwk] }
      case '/token':
        return token(request)
      case '/userinfo':
        return { sub: provider.person.sub, ...provider.lies.userInfo }
      default:
        return undefined
    }
  }
  const server = createServer((request, response) => {
    provider.asked.push(String(request.url))
    void answerTo(request).then((body) => {
      const { status, tokenBody } = provider.lies
      const isError = body === undefined || 'error' in body
      const isDiscovery = request.url?.includes('well-known') ?? false
      response.writeHead(isDiscovery ? 200 : (status ?? (isError ? 400 : 200)), { 'content-type': 'application/json' })
      response.end(request.url === '/token' && tokenBody !== undefined ? tokenBody : JSON.stringify(body ?? {}))
    })
  })
  const start = async (): Promise<void> => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const stop = async (): Promise<void> => {
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  }
  await start()
  const provider: CompanyProvider = {
    issuer: `http://127.0.0.1:${port}`,
    person: {},
    lies: {},
    asked: [],
    answer(authorizationUrl) {
      const query = new URL(authorizationUrl).searchParams
      const code = randomBytes(8).toString('hex')
      codes.set(code, { query, person: provider.person })
      const state = query.get('state') ?? ''
      return `${query.get('redirect_uri')}?${new URLSearchParams({ code, state, iss: provider.issuer })}`
    },
    start,
    stop,
  }
  return provider
}
