/** Developer pages: the account's applications (OIDC-G8, OIDC-T4). For administrators. */

import { SCOPES } from '../../domain/grants/scopes.ts'
import type { AuditKind, Client } from '../../domain/ports/storage-oidc-records.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import { submitting, visiting } from '../../web/guard.ts'
import { csrfToken, frameOf, renderFault, renderPage, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { ClientError, clientAttributes, newClient, newClientSecret, SECRET_OVERLAP_MS } from '../clients.ts'
import { newId } from '../oidc-secrets.ts'
import type { OidcContext, Provider, SignedIn } from '../provider.ts'
import { ClientPage, ClientsPage } from '../views/developer-pages.tsx'

const ACTION = 'clients'
const ACTIONS: ReadonlyMap<string, AuditKind> = new Map([
  ['rotate-secret', 'client_secret_rotated'],
  ['delete', 'client_deleted'],
])

export const showClients = visiting('administrator', (provider: Provider, context, visitor) =>
  clientsPage(provider, context, visitor),
)

export const createClient = submitting(
  'administrator',
  ACTION,
  async (provider: Provider, context, visitor, form) => {
    try {
      const { client, secret } = newClient(
        {
          accountId: visitor.user.accountId,
          name: form.get('name') ?? '',
          kind: form.get('kind') === 'public' ? 'public' : 'confidential',
          applicationType: form.get('type') === 'native' ? 'native' : 'web',
          redirectUris: lines(form, 'redirectUris'),
          scopes: form.getAll('scope'),
        },
        provider.now(),
        provider.random,
      )
      await provider.writes.createClient(client)
      return clientPage(provider, context, visitor, client, { secret, status: 201 })
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      return clientsPage(provider, context, visitor, { typed: { form, faults: {} }, problem: error.message })
    }
  },
  { kind: 'client_created' },
)

export const showClient = visiting('administrator', async (provider: Provider, context, visitor) => {
  const client = await ownClient(provider, visitor, context)
  return client ? clientPage(provider, context, visitor, client) : missing(provider, context)
})

export const changeClient = submitting(
  'administrator',
  ACTION,
  async (provider: Provider, context, visitor, form) => {
    const client = await ownClient(provider, visitor, context)
    if (!client) return missing(provider, context)
    const change = {
      name: form.get('name') ?? '',
      redirectUris: lines(form, 'redirectUris'),
      postLogoutRedirectUris: lines(form, 'logoutUris'),
      scopes: form.getAll('scope'),
    }
    try {
      await provider.writes.updateClient(
        client.id,
        clientAttributes({ ...change, applicationType: client.applicationType }),
      )
      return seeOther(provider, context, `${rootOf(provider)}/developer/clients/${client.id}`)
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      return clientPage(provider, context, visitor, client, {
        problem: error.message,
        typed: { form, faults: {} },
        status: 400,
      })
    }
  },
  { kind: 'client_changed' },
)

export const actOnClient = submitting(
  'administrator',
  ACTION,
  async (provider: Provider, context, visitor) => {
    const { writes, now, random } = provider
    const client = await ownClient(provider, visitor, context)
    const action = context.req.param('action')
    if (!client) return missing(provider, context)
    if (action === 'rotate-secret' && client.kind === 'confidential') {
      const { secret, text } = newClientSecret(now(), random)
      await writes.addClientSecret(client.id, secret, now() + SECRET_OVERLAP_MS)
      return clientPage(provider, context, visitor, client, { secret: text })
    }
    if (action === 'disable' || action === 'enable') {
      await writes.updateClient(client.id, { disabledAt: action === 'disable' ? now() : null })
      return seeOther(provider, context, `${rootOf(provider)}/developer/clients/${client.id}`)
    }
    if (action === 'delete') {
      await writes.deleteClient(client.id, now())
      await provider.grantChanged?.()
      return seeOther(provider, context, `${rootOf(provider)}/developer/clients`)
    }
    return missing(provider, context)
  },
  { kind: ({ req }) => ACTIONS.get(req.param('action') ?? '') ?? 'client_changed' },
)

async function clientsPage(
  provider: Provider,
  context: OidcContext,
  visitor: SignedIn,
  {
    problem,
    typed = NOTHING_TYPED,
  }: { readonly problem?: string | undefined; readonly typed?: Typed | undefined } = {},
): Promise<Response> {
  const page = (
    <ClientsPage
      frame={frameOf(provider, context, { visitor })}
      clients={await provider.reads.listClients(visitor.user.accountId)}
      csrf={csrfToken(context, provider, visitor, ACTION)}
      once={newId(provider.random)}
      allScopes={SCOPES}
      typed={typed}
      problem={problem}
    />
  )
  return renderPage(provider, context, page, { status: problem === undefined ? 200 : 400 })
}

function clientPage(
  provider: Provider,
  context: OidcContext,
  visitor: SignedIn,
  client: Client,
  {
    secret,
    problem,
    typed,
    status = 200,
  }: {
    readonly secret?: string | undefined
    readonly problem?: string | undefined
    readonly typed?: Typed | undefined
    readonly status?: number | undefined
  } = {},
): Response {
  const page = (
    <ClientPage
      frame={frameOf(provider, context, { visitor })}
      client={client}
      csrf={csrfToken(context, provider, visitor, ACTION)}
      allScopes={SCOPES}
      secret={secret}
      typed={typed}
      problem={problem}
    />
  )
  return renderPage(provider, context, page, { status })
}

async function ownClient({ reads }: Provider, { user }: SignedIn, context: OidcContext): Promise<Client | undefined> {
  const client = await reads.findClient(context.req.param('clientId') ?? '')
  return client?.accountId === user.accountId ? client : undefined
}

function missing(provider: Provider, context: OidcContext): Response {
  return renderFault(provider, context, 'not_found', { status: 404 })
}

function lines(form: URLSearchParams, name: string): readonly string[] {
  return (form.get(name) ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
