/** Applications that administrators set up, on the dashboard or the command line (OIDC-G8). */

import { inOrder, isScope, SCOPES } from '../domain/grants/scopes.ts'
import type { Client, ClientSecret } from '../domain/ports/storage-oidc.ts'
import { hashOf, newId, newSecret, type Random } from './oidc-secrets.ts'
import { MAX_REDIRECT_URIS, redirectComplaint } from './redirect/check.ts'
import { plainName } from './registration/client-name.ts'

/** How long the previous secret stays valid after a rotation (OIDC-T4). */
export const SECRET_OVERLAP_MS = 86_400_000

interface NewClient {
  readonly accountId: string
  readonly name: string
  readonly kind: Client['kind']
  readonly applicationType: Client['applicationType']
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris?: readonly string[] | undefined
  readonly scopes?: readonly string[] | undefined
  readonly resourceServer?: boolean | undefined
}

/** A rule was broken; the message is a sentence for the person who typed it. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
}

/** @returns the row, and for confidential clients the secret, which is nowhere else. @throws ClientError */
export function newClient(
  {
    accountId,
    name,
    kind,
    applicationType,
    redirectUris,
    postLogoutRedirectUris = [],
    scopes,
    resourceServer,
  }: NewClient,
  now: number,
  random: Random,
): { readonly client: Client; readonly secret?: string | undefined } {
  const client: Client = {
    id: newId(random),
    accountId,
    kind,
    applicationType,
    ...clientAttributes({ name, applicationType, redirectUris, postLogoutRedirectUris, scopes: scopes ?? SCOPES }),
    grantTypes: ['authorization_code', 'refresh_token'],
    origin: 'administrator',
    ...(resourceServer && { resourceServer }),
    links: {},
    createdAt: now,
    secrets: [],
  }
  if (kind === 'public') return { client }
  const { secret, text } = newClientSecret(now, random)
  return { client: { ...client, secrets: [secret] }, secret: text }
}

export function newClientSecret(now: number, random: Random): { readonly secret: ClientSecret; readonly text: string } {
  const text = newSecret('clientSecret', random)
  return { secret: { id: newId(random), hash: hashOf(text), createdAt: now }, text }
}

type Attributes = Pick<Client, 'name' | 'redirectUris' | 'postLogoutRedirectUris' | 'scopes'>

/** What may be changed later as well, checked. @throws ClientError */
export function clientAttributes(
  given: Attributes & { readonly applicationType: Client['applicationType'] },
): Attributes {
  const name = plainName(given.name)
  if (name === undefined) throw new ClientError('A client needs a name.')
  if (given.redirectUris.length === 0 || given.redirectUris.length > MAX_REDIRECT_URIS) {
    throw new ClientError(`A client needs 1 to ${MAX_REDIRECT_URIS} redirect URIs.`)
  }
  for (const uri of [...given.redirectUris, ...given.postLogoutRedirectUris]) {
    const complaint = redirectComplaint(uri, given.applicationType)
    if (complaint !== undefined) throw new ClientError(`${JSON.stringify(uri)} ${complaint}.`)
  }
  const unknown = given.scopes.filter((scope) => !isScope(scope))
  if (unknown.length > 0 || given.scopes.length === 0) {
    throw new ClientError(`Unknown scope ${unknown.join(' ')}: choose from ${SCOPES.join(' ')}.`)
  }
  return {
    name,
    redirectUris: [...new Set(given.redirectUris)],
    postLogoutRedirectUris: [...new Set(given.postLogoutRedirectUris)],
    scopes: inOrder(given.scopes),
  }
}
