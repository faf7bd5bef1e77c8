/** {issuer}/register: applications register (RFC 7591) and manage themselves (RFC 7592), always public (OIDC-G2). */

import { readJson } from '../../api/requests/request-body.ts'
import { Problem } from '../../api/respond.ts'
import type { Client } from '../../domain/ports/storage-oidc-records.ts'
import { addressBlock } from '../../limits/address-block.ts'
import { equalHashes } from '../../web/mac.ts'
import { NO_STORE, OAuthError, tooMany } from '../back-channel/oauth-error.ts'
import { hashOf, newId, newSecret } from '../oidc-secrets.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { createThrottle } from '../throttle.ts'
import { type Metadata, metadataJson, readMetadata } from './metadata.ts'

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
    const management = {
      registration_access_token: registrationToken,
      registration_client_uri: `${issuer}/register/${client.id}`,
    }
    return Response.json({ ...metadataJson(client), ...management }, { status: 201, headers: NO_STORE })
  }
}

/** GET, PUT and DELETE of `{issuer}/register/{client_id}` (OIDC-G7). */
export function managementEndpoints(provider: Provider): Readonly<Record<'GET' | 'PUT' | 'DELETE', Handler>> {
  const { writes, now, issuer, grantChanged } = provider
  /** RFC 7592 §3 wants the token in every answer; only the caller still knows it. */
  const answer = (context: OidcContext, client: Client): Response => {
    const management = {
      registration_access_token: bearerOf(context),
      registration_client_uri: `${issuer}/register/${client.id}`,
    }
    return Response.json({ ...metadataJson(client), ...management }, { headers: NO_STORE })
  }
  return {
    GET: async (context) => answer(context, await ownClient(provider, context)),
    PUT: async (context) => {
      const client = await ownClient(provider, context)
      const change = await metadataOf(provider, context, client.id)
      await writes.updateClient(client.id, change)
      return answer(context, { ...client, ...change })
    },
    DELETE: async (context) => {
      const client = await ownClient(provider, context)
      await writes.deleteClient(client.id, now())
      await grantChanged?.()
      return new Response(null, { status: 204, headers: NO_STORE })
    },
  }
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
