/** {issuer}/register: applications register (RFC 7591) and manage themselves (RFC 7592), always public (OIDC-G2). */

import { readJson } from '../../api/requests/request-body.ts'
import { Problem } from '../../api/respond.ts'
import { inOrder, isScope, parseScopes, SCOPES } from '../../domain/grants/scopes.ts'
import type { Client } from '../../domain/ports/storage-oidc.ts'
import { addressBlock } from '../../limits/address-block.ts'
import { equalHashes } from '../../web/cookies.ts'
import { NO_STORE, OAuthError, tooMany } from '../back-channel/oauth-error.ts'
import { hashOf, newId, newSecret } from '../oidc-secrets.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { LOOPBACK_HOSTS, MAX_REDIRECT_URIS, redirectComplaint } from '../redirect/check.ts'
import { createThrottle } from '../throttle.ts'
import { mixesScripts, plainName, posesAs } from './client-name.ts'

const HOUR_MS = 3_600_000
/** Without an approval they are not needed (OIDC-G6). */
const UNUSED_MS = 30 * 24 * HOUR_MS
const MAX_DYNAMIC_CLIENTS = 10_000

type Handler = (context: OidcContext) => Promise<Response>

export function registerEndpoint(provider: Provider): Handler {
  const { reads, writes, config, now, random, issuer, limits } = provider
  const throttle = createThrottle(limits, 'registration', config.registrationRate, HOUR_MS)
  return async (context) => {
    if (config.registration === 'token') requireInitialToken(context, config.registrationToken ?? '')
    // A refused one keeps nothing here, so a client can correct its request and register.
    const metadata = await metadataOf(provider, context)
    const waitSeconds = await throttle.take(addressBlock(addressOf(provider, context)))
    if (waitSeconds !== undefined) throw tooMany('registrations', waitSeconds)
    await writes.deleteUnusedClients(now() - UNUSED_MS)
    if ((await reads.countDynamicClients()) >= MAX_DYNAMIC_CLIENTS) {
      throw new OAuthError(503, 'temporarily_unavailable', 'too many applications wait for their first user')
    }
    const registrationToken = newSecret('registration', random)
    const client: Client = {
      ...metadata,
      id: newId(random),
      kind: 'public',
      origin: 'dynamic',
      registrationTokenHash: hashOf(registrationToken),
      createdAt: now(),
      secrets: [],
    }
    await writes.createClient(client)
    await writes.audit({ at: now(), kind: 'client_created', clientId: client.id, ip: addressOf(provider, context) })
    return registered(issuer, client, registrationToken, 201)
  }
}

/** GET, PUT and DELETE of `{issuer}/register/{client_id}` (OIDC-G7). */
export function managementEndpoints(provider: Provider): Readonly<Record<'GET' | 'PUT' | 'DELETE', Handler>> {
  const { writes, now, issuer, grantChanged } = provider
  return {
    GET: async (context) => registered(issuer, await ownClient(provider, context), bearerOf(context)),
    PUT: async (context) => {
      const client = await ownClient(provider, context)
      const change = await metadataOf(provider, context, client.id)
      await writes.updateClient(client.id, change)
      return registered(issuer, { ...client, ...change }, bearerOf(context))
    },
    DELETE: async (context) => {
      const client = await ownClient(provider, context)
      await writes.deleteClient(client.id, now())
      await grantChanged?.()
      return new Response(null, { status: 204, headers: NO_STORE })
    },
  }
}

/** RFC 7592 §3 wants the token in every answer; only the caller still knows it. */
function registered(issuer: string, client: Client, token: string, status = 200): Response {
  const body = {
    ...metadataJson(client),
    registration_access_token: token,
    registration_client_uri: `${issuer}/register/${client.id}`,
  }
  return Response.json(body, { status, headers: NO_STORE })
}

/** Unknown client and wrong token look the same (RFC 7592 §2). */
async function ownClient({ reads }: Provider, context: OidcContext): Promise<Client> {
  const client = await reads.findClient(context.req.param('clientId') ?? '')
  const hash = client?.registrationTokenHash
  if (!client || hash === undefined || !equalHashes(hash, hashOf(bearerOf(context)))) throw invalidToken()
  return client
}

async function metadataOf({ config }: Provider, context: OidcContext, clientId?: string): Promise<Metadata> {
  const body = await bodyOf(context.req.raw)
  const named = (body as { readonly client_id?: unknown } | null)?.client_id
  if (clientId !== undefined && named !== clientId) {
    throw new OAuthError(400, 'invalid_client_metadata', 'client_id must be the one of this address (RFC 7592)')
  }
  const metadata = readMetadata(body, [
    'Pilotwire',
    new URL(config.baseUrl).hostname.replace(/^localhost$|^[\d.[\]:a-f]+$/, ''),
  ])
  if ('error' in metadata) throw new OAuthError(400, metadata.error, metadata.description)
  return metadata
}

/** As the API reads its bodies, with the same limits (OIDC-V25); the errors are those of RFC 7591. */
async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await readJson(request)
  } catch (fault) {
    if (!(fault instanceof Problem)) throw fault
    if (fault.status === 413) throw new OAuthError(413, 'invalid_request', fault.message)
    throw new OAuthError(400, 'invalid_client_metadata', fault.message)
  }
}

function requireInitialToken(context: OidcContext, expected: string): void {
  if (!equalHashes(hashOf(expected), hashOf(bearerOf(context)))) throw invalidToken()
}

function bearerOf({ req }: OidcContext): string {
  return /^Bearer +(\S+) *$/i.exec(req.header('authorization') ?? '')?.[1] ?? ''
}

function invalidToken(): OAuthError {
  return new OAuthError(401, 'invalid_token', 'send the registration token as Authorization: Bearer', {
    headers: { 'www-authenticate': 'Bearer realm="pilotwire", error="invalid_token"' },
  })
}

/** What an application may register about itself (RFC 7591; OIDC-G2 to OIDC-G5). Pure. */
interface MetadataFault {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  readonly description: string
}

type Metadata = Pick<
  Client,
  'applicationType' | 'name' | 'redirectUris' | 'postLogoutRedirectUris' | 'scopes' | 'grantTypes' | 'links'
>

const LINKS = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const
/** Members that would make us fetch something, or sign or encrypt in ways we do not (SSRF: OIDC-V5). */
const REFUSED = ['jwks_uri', 'jwks', 'sector_identifier_uri', 'request_uris', 'request_object_signing_alg']
const GRANT_TYPES = ['authorization_code', 'refresh_token']
const MAX_LINK_CHARACTERS = 2048
const LINK = /^https?:\/\/[^\s\p{C}]+$/u

/** @param operatorNames words that no other application may call itself */
export function readMetadata(body: unknown, operatorNames: readonly string[]): Metadata | MetadataFault {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return wrong('the body must be a JSON object')
  // RFC 7592 §2.2: null and empty mean left out; clients that fill in a form send `"scope": ""`.
  const given = Object.entries(body).filter(([, value]) => value !== null && value !== '')
  const members: Readonly<Record<string, unknown>> = Object.fromEntries(given)
  const { application_type = 'web' } = members
  if (application_type !== 'web' && application_type !== 'native') return wrong('application_type is web or native')
  // A client that forgot to say so but registers loopback or private addresses is a native one (OIDC-A4).
  const applicationType = 'application_type' in members ? application_type : guessType(members.redirect_uris)
  const redirectUris = uris(members.redirect_uris, applicationType, 'redirect_uris')
  if ('error' in redirectUris) return redirectUris
  const logoutUris = uris(members.post_logout_redirect_uris ?? [], applicationType, 'post_logout_redirect_uris')
  if ('error' in logoutUris) return logoutUris
  const fault = authenticationFault(members) ?? typesFault(members) ?? refusedFault(members) ?? linkFault(members)
  if (fault) return fault
  const scopes = scopesOf(members.scope)
  if (!scopes) return wrong(`scope may name ${SCOPES.join(' ')}`)
  const name = plainName(members.client_name ?? defaultName(redirectUris.list))
  if (name === undefined) return wrong('client_name must be a text with something to see in it')
  if (posesAs(name, operatorNames)) return wrong('client_name must not be, or look like, the name of this service')
  if (mixesScripts(name)) return wrong('client_name must not mix alphabets, such as Latin and Cyrillic, within a word')
  return {
    applicationType,
    name,
    redirectUris: redirectUris.list,
    postLogoutRedirectUris: logoutUris.list,
    scopes,
    grantTypes: (members.grant_types as readonly string[] | undefined) ?? GRANT_TYPES,
    links: Object.fromEntries(
      LINKS.flatMap((link) => (typeof members[link] === 'string' ? [[link, members[link]]] : [])),
    ),
  }
}

/** What the application receives: all that is registered, nothing else (OIDC-G2). */
function metadataJson(client: Client): Readonly<Record<string, unknown>> {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt / 1000),
    client_name: client.name,
    application_type: client.applicationType,
    redirect_uris: client.redirectUris,
    ...(client.postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: client.postLogoutRedirectUris }),
    grant_types: client.grantTypes,
    response_types: ['code'],
    scope: client.scopes.join(' '),
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: 'RS256',
    ...client.links,
  }
}

function uris(
  value: unknown,
  applicationType: 'web' | 'native',
  member: 'redirect_uris' | 'post_logout_redirect_uris',
): { readonly list: readonly string[] } | MetadataFault {
  const fault = (description: string): MetadataFault => ({
    error: member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    description,
  })
  if (!Array.isArray(value) || !value.every((uri) => typeof uri === 'string')) {
    return fault(`${member} must be a list of addresses`)
  }
  const list: readonly string[] = [...new Set(value)]
  if (list.length > MAX_REDIRECT_URIS) return fault(`${member} may have at most ${MAX_REDIRECT_URIS} addresses`)
  if (member === 'redirect_uris' && list.length === 0) return fault('redirect_uris needs at least one address')
  for (const uri of list) {
    const complaint = redirectComplaint(uri, applicationType)
    if (complaint !== undefined) return fault(`an address of ${member} ${complaint}`)
  }
  return { list }
}

function guessType(redirectUris: unknown): 'web' | 'native' {
  const uris: readonly unknown[] = Array.isArray(redirectUris) ? redirectUris : []
  return uris.some((uri) => typeof uri === 'string' && !/^https:/i.test(uri)) ? 'native' : 'web'
}

function defaultName([uri = '']: readonly string[]): string {
  return new URL(uri).hostname || 'Unnamed application'
}

function authenticationFault(members: Readonly<Record<string, unknown>>): MetadataFault | undefined {
  const { token_endpoint_auth_method: method, id_token_signed_response_alg: alg } = members
  if (method !== undefined && method !== 'none') {
    return wrong(
      'token_endpoint_auth_method must be none: applications that register themselves are public, PKCE authenticates them',
    )
  }
  if (alg !== undefined && alg !== 'RS256') return wrong('id_token_signed_response_alg must be RS256')
  return undefined
}

function typesFault({ grant_types, response_types }: Readonly<Record<string, unknown>>): MetadataFault | undefined {
  const within = (value: unknown, allowed: readonly string[]): boolean =>
    value === undefined ||
    (Array.isArray(value) && value.length > 0 && value.every((item) => allowed.includes(item as string)))
  if (!within(grant_types, GRANT_TYPES)) return wrong(`grant_types may name ${GRANT_TYPES.join(' and ')}`)
  if (Array.isArray(grant_types) && !grant_types.includes('authorization_code')) {
    return wrong('grant_types needs authorization_code')
  }
  return within(response_types, ['code']) ? undefined : wrong('response_types may name code')
}

function refusedFault(members: Readonly<Record<string, unknown>>): MetadataFault | undefined {
  const refused = REFUSED.find((member) => members[member] !== undefined)
  return refused === undefined ? undefined : wrong(`${refused} is not supported and never fetched: leave it out`)
}

function linkFault(members: Readonly<Record<string, unknown>>): MetadataFault | undefined {
  for (const link of LINKS) {
    const value = members[link]
    if (value === undefined) continue
    if (typeof value !== 'string' || value.length > MAX_LINK_CHARACTERS || !LINK.test(value) || !URL.canParse(value)) {
      return wrong(`${link} must be an https address`)
    }
    const { protocol, hostname } = new URL(value)
    // OIDC-G4: in development an application's pages, like its redirect address, are on the developer's machine.
    if (protocol === 'http:' && !LOOPBACK_HOSTS.has(hostname)) return wrong(`${link} must be an https address`)
  }
  return undefined
}

function scopesOf(scope: unknown): readonly string[] | undefined {
  if (scope === undefined) return SCOPES
  const names = typeof scope === 'string' ? parseScopes(scope) : undefined
  return names?.every(isScope) ? inOrder(names) : undefined
}

function wrong(description: string): MetadataFault {
  return { error: 'invalid_client_metadata', description }
}
