import { SCOPES } from '../../domain/grants/scopes.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Client } from '../../domain/ports/storage-oidc.ts'
import { ClientError, newClient, newClientSecret, SECRET_OVERLAP_MS } from '../../oidc/clients.ts'
import { type CliContext, UsageError } from './cli-context.ts'
import { withWrites } from './database.ts'
import { commandGroup, OF_ACCOUNT, REQUIRED } from './declare.ts'
import { type AccountOption, changeAccount, listOfAccount } from './options.ts'
import { type JsonOption, membersOf, type Printable, printObject } from './output/print.ts'

type CreateOptions = {
  name: string
  kind: Client['kind']
  type?: Client['applicationType'] | undefined
  redirectUri: readonly string[]
  postLogoutRedirectUri?: readonly string[] | undefined
  scope?: readonly string[] | undefined
  resourceServer?: true | undefined
} & AccountOption &
  JsonOption

export const register = commandGroup('client', 'applications that act for users (OpenID Connect)', [
  {
    usage: 'create',
    does: 'create a client; the secret of a confidential one is printed once',
    takes: [
      ['--name <name>', 'name that users see when they are asked to approve', REQUIRED],
      ['--kind <kind>', 'does it keep a secret?', { choices: ['confidential', 'public'], default: 'confidential' }],
      [
        '--type <type>',
        'native: the port of loopback addresses is free; default: judged by the addresses',
        { choices: ['web', 'native'] },
      ],
      ['--redirect-uri <uri...>', 'where users return to; compared byte for byte', REQUIRED],
      ['--post-logout-redirect-uri <uri...>', 'where users may return to after signing out'],
      ['--scope <scope...>', `what it may ask for; default: ${SCOPES.join(' ')}`],
      ['--resource-server', 'may introspect the tokens of other clients'],
      ...OF_ACCOUNT,
    ],
    examples: [
      'pilotwire client create --name "Fleet App" --redirect-uri https://fleet.example.com/callback',
      'pilotwire client create --name CLI --kind public --redirect-uri http://127.0.0.1/callback --json',
    ],
    run: create,
  },
  {
    usage: 'list',
    does: 'list the clients of an account, without their secrets',
    takes: OF_ACCOUNT,
    examples: ['pilotwire client list'],
    run: listOfAccount((reads, accountId) => reads.listClients(accountId), shown, [
      'clientId',
      'name',
      'kind',
      'applicationType',
      'redirectUris',
      'createdAt',
    ]),
  },
  {
    usage: 'rotate-secret <clientId>',
    does: 'make a new secret and print it once; the present one stays valid for a day',
    takes: [['--at-once', 'the present secret ends now']],
    examples: ['pilotwire client rotate-secret 0f3c…'],
    run: rotate,
  },
])

async function create(context: CliContext, options: CreateOptions): Promise<void> {
  await changeAccount(context, options, async ({ writes, config, accountId }) => {
    const { postLogoutRedirectUri, scope, redirectUri, kind } = options
    const { client, secret } = checked(() =>
      newClient(
        {
          accountId,
          name: options.name,
          kind,
          applicationType: options.type ?? judgedType(kind, redirectUri),
          redirectUris: redirectUri,
          postLogoutRedirectUris: postLogoutRedirectUri,
          scopes: scope?.flatMap((text) => text.split(/[ ,]+/)).filter((text) => text !== ''),
          ...(options.resourceServer && { resourceServer: true }),
        },
        context.now(),
        context.random,
      ),
    )
    await writes.createClient(client)
    await writes.audit({ at: context.now(), kind: 'client_created', accountId, clientId: client.id })
    printObject(context, { ...shown(client), clientSecret: secret }, options.json)
    context.note(
      `Users start at (code_challenge: base64url of the SHA-256 of a fresh code_verifier):\n${sample(client, config.dashboardUrl)}`,
    )
  })
}

function rotate(context: CliContext, clientId: string, options: { atOnce?: true | undefined }): Promise<Printable> {
  return withWrites(context, async ({ reads, writes }) => {
    const client = await reads.findClient(clientId)
    if (!client) throw new Error(`There is no client ${clientId}: see pilotwire client list`)
    if (client.kind === 'public') throw new UsageError('A public client has no secret: PKCE authenticates it.')
    const { secret, text } = newClientSecret(context.now(), context.random)
    const previousUntil = context.now() + (options.atOnce ? 0 : SECRET_OVERLAP_MS)
    await writes.addClientSecret(client.id, secret, previousUntil)
    await writes.audit({
      at: context.now(),
      kind: 'client_secret_rotated',
      clientId: client.id,
      accountId: client.accountId,
    })
    return { clientId: client.id, clientSecret: text, previousSecretUntil: isoTime(previousUntil) }
  })
}

function checked<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof ClientError ? new UsageError(error.message) : error
  }
}

/** Public ones that return to the own machine or a private scheme are native; the port is then free (RFC 8252). */
function judgedType(kind: Client['kind'], redirectUris: readonly string[]): Client['applicationType'] {
  return kind === 'public' && redirectUris.every((uri) => !uri.startsWith('https:')) ? 'native' : 'web'
}

function sample({ id, redirectUris: [redirectUri = ''], scopes }: Client, dashboardUrl: string): string {
  const parameters = new URLSearchParams({
    client_id: id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: scopes.join(' '),
    state: 'STATE',
    code_challenge: 'CHALLENGE',
    code_challenge_method: 'S256',
  })
  return `${dashboardUrl}/oauth/authorize?${parameters}`
}

function shown(client: Client): Printable {
  const { id: clientId, postLogoutRedirectUris } = client
  return {
    clientId,
    ...membersOf(client, ['name', 'kind', 'applicationType', 'redirectUris']),
    ...(postLogoutRedirectUris.length > 0 && { postLogoutRedirectUris }),
    ...membersOf(client, ['scopes', 'createdAt', 'disabledAt']),
  }
}
