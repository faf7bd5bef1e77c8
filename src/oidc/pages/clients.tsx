/** Developer pages: the account's applications (OIDC-G8, OIDC-T4). For administrators. */

import type { FC } from 'hono/jsx'
import { SCOPES } from '../../domain/grants/scopes.ts'
import type { AuditKind, Client } from '../../domain/ports/storage-oidc.ts'
import {
  Action,
  Choice,
  Entry,
  type Frame,
  Lines,
  NOTHING_TYPED,
  Page,
  Sealed,
  Submit,
  Ticks,
  type Typed,
  Warning,
} from '../../web/entries.tsx'
import { Disclosure, TableCard, TextLink, Title } from '../../web/parts/table.tsx'
import { ClientError, clientAttributes, newClient, newClientSecret, SECRET_OVERLAP_MS } from '../clients.ts'
import { newId } from '../oidc-secrets.ts'
import { acting, showing, type Visit } from './visit.ts'

const ACTION = 'clients'
const ACTIONS: ReadonlyMap<string, AuditKind> = new Map([
  ['rotate-secret', 'client_secret_rotated'],
  ['delete', 'client_deleted'],
])
/** Scopes that act on charge points start unticked. */
const HARMLESS = SCOPES.filter((scope) => scope !== 'chargers:control')

interface Tried {
  readonly problem?: string
  readonly typed?: Typed
}

export const showClients = showing('administrator', (visit) => clientsPage(visit))

export const createClient = acting(
  'administrator',
  ACTION,
  async (visit, form) => {
    const { writes, now, random } = visit.provider
    try {
      const { client, secret } = newClient(
        {
          accountId: visit.visitor.user.accountId,
          name: form.get('name') ?? '',
          kind: form.get('kind') === 'public' ? 'public' : 'confidential',
          applicationType: form.get('type') === 'native' ? 'native' : 'web',
          redirectUris: lines(form, 'redirectUris'),
          scopes: form.getAll('scope'),
        },
        now(),
        random,
      )
      await writes.createClient(client)
      return clientPage(visit, client, { secret, status: 201 })
    } catch (error) {
      return clientsPage(visit, triedAgain(error, form))
    }
  },
  { kind: 'client_created' },
)

export const showClient = showing('administrator', async (visit) => {
  const client = await ownClient(visit)
  return client ? clientPage(visit, client) : visit.missing()
})

export const changeClient = acting(
  'administrator',
  ACTION,
  async (visit, form) => {
    const client = await ownClient(visit)
    if (!client) return visit.missing()
    const change = {
      applicationType: client.applicationType,
      name: form.get('name') ?? '',
      redirectUris: lines(form, 'redirectUris'),
      postLogoutRedirectUris: lines(form, 'logoutUris'),
      scopes: form.getAll('scope'),
    }
    try {
      await visit.provider.writes.updateClient(client.id, clientAttributes(change))
      return visit.goTo(`/developer/clients/${client.id}`)
    } catch (error) {
      return clientPage(visit, client, { ...triedAgain(error, form), status: 400 })
    }
  },
  { kind: 'client_changed' },
)

export const actOnClient = acting(
  'administrator',
  ACTION,
  async (visit) => {
    const { writes, now, random, grantChanged } = visit.provider
    const client = await ownClient(visit)
    const action = visit.context.req.param('action')
    if (client && action === 'rotate-secret' && client.kind === 'confidential') {
      const { secret, text } = newClientSecret(now(), random)
      await writes.addClientSecret(client.id, secret, now() + SECRET_OVERLAP_MS)
      return clientPage(visit, client, { secret: text })
    }
    if (client && (action === 'disable' || action === 'enable')) {
      await writes.updateClient(client.id, { disabledAt: action === 'disable' ? now() : null })
      return visit.goTo(`/developer/clients/${client.id}`)
    }
    if (!client || action !== 'delete') return visit.missing()
    await writes.deleteClient(client.id, now())
    await grantChanged?.()
    return visit.goTo('/developer/clients')
  },
  { kind: ({ req }) => ACTIONS.get(req.param('action') ?? '') ?? 'client_changed' },
)

function triedAgain(error: unknown, form: URLSearchParams): Required<Tried> {
  if (!(error instanceof ClientError)) throw error
  return { problem: error.message, typed: { form, faults: {} } }
}

async function clientsPage(visit: Visit, { problem, typed = NOTHING_TYPED }: Tried = {}): Promise<Response> {
  const { provider, visitor, frame } = visit
  const { texts, root } = frame
  const page = (
    <Page frame={frame} title={texts.developer} wide>
      <Title text={texts.developer}>
        <Disclosure title={texts.newApplication} open={typed.form.size > 0}>
          <form class="card" method="post" action={`${root}/developer/clients`}>
            <Problem frame={frame} problem={problem} />
            <Sealed csrf={visit.csrf(ACTION)} once={newId(provider.random)} />
            <Entry label={texts.name} name="name" typed={typed} required />
            <Choice label={texts.type} name="type" typed={typed} options={{ web: texts.web, native: texts.native }} />
            <Choice
              label={texts.kind}
              name="kind"
              typed={typed}
              options={{ confidential: texts.confidential, public: texts.public }}
            />
            <Lines label={texts.redirectUris} name="redirectUris" typed={typed} />
            <ScopeTicks frame={frame} typed={typed} ticked={HARMLESS} />
            <Submit>{texts.create}</Submit>
          </form>
        </Disclosure>
      </Title>
      <TableCard<Client>
        label={texts.developer}
        oneLine
        rows={await provider.reads.listClients(visitor.user.accountId)}
        empty={texts.noClients}
        columns={[
          {
            title: texts.name,
            kind: 'name',
            whole: ({ name }) => name,
            cell: ({ id, name }) => <TextLink to={`${root}/developer/clients/${id}`} text={name} />,
          },
          { title: texts.kind, width: 240, whole: ({ kind }) => texts[kind], cell: ({ kind }) => texts[kind] },
          { title: texts.clientId, kind: 'host', wideOnly: true, whole: ({ id }) => id, text: ({ id }) => id },
          {
            width: 120,
            cell: ({ disabledAt }) => disabledAt !== undefined && <span class="chip over">{texts.disabled}</span>,
          },
        ]}
      />
    </Page>
  )
  return visit.show(page, { status: problem === undefined ? 200 : 400 })
}

function clientPage(
  visit: Visit,
  client: Client,
  options: Tried & { readonly secret?: string | undefined; readonly status?: number } = {},
): Response {
  const { secret, problem, typed = NOTHING_TYPED, status } = options
  const { frame } = visit
  const { texts, root } = frame
  const csrf = visit.csrf(ACTION)
  const path = `${root}/developer/clients/${client.id}`
  const page = (
    <Page frame={frame} title={client.name}>
      <Title text={client.name} up={[[`${root}/developer/clients`, texts.developer]]}>
        {client.kind === 'confidential' && (
          <Action to={`${path}/rotate-secret`} csrf={csrf} ask={texts.rotateAdvice} text={texts.rotateSecret} />
        )}
        {client.disabledAt === undefined ? (
          <Action to={`${path}/disable`} csrf={csrf} ask={texts.disableClientAsk} text={texts.disable} />
        ) : (
          <Action to={`${path}/enable`} csrf={csrf} text={texts.enable} />
        )}
        <Action to={`${path}/delete`} csrf={csrf} style="danger" ask={texts.deleteClientAsk} text={texts.delete} />
      </Title>
      <Once frame={frame} secret={secret} />
      <form class="card" method="post" action={path}>
        <Problem frame={frame} problem={problem} />
        <dl>
          <dt>{texts.clientId}</dt>
          <dd>
            <code>{client.id}</code>
          </dd>
          <dt>{texts.kind}</dt>
          <dd>{texts[client.kind]}</dd>
        </dl>
        <input type="hidden" name="csrf" value={csrf} />
        <Entry label={texts.name} name="name" typed={typed} value={client.name} required />
        <Lines label={texts.redirectUris} name="redirectUris" typed={typed} value={client.redirectUris.join('\n')} />
        <Lines
          label={texts.logoutUris}
          name="logoutUris"
          typed={typed}
          value={client.postLogoutRedirectUris.join('\n')}
        />
        <ScopeTicks frame={frame} typed={typed} ticked={client.scopes} />
        <Submit>{texts.save}</Submit>
      </form>
    </Page>
  )
  return visit.show(page, { status })
}

const ScopeTicks: FC<{ frame: Frame; typed: Typed; ticked: readonly string[] }> = ({ frame: { texts }, ...ticks }) => (
  <Ticks label={texts.scopesLabel} name="scope" options={SCOPES} names={texts.scopes} {...ticks} />
)

const Problem: FC<{ frame: Frame; problem: string | undefined }> = ({ frame, problem }) =>
  problem === undefined ? null : <Warning>{frame.texts.invalid(problem)}</Warning>

export const Once: FC<{ frame: Frame; secret: string | undefined }> = ({ frame, secret }) =>
  secret === undefined ? null : (
    <p class="card" role="status">
      {frame.texts.shownOnce} <code>{secret}</code>
    </p>
  )

async function ownClient({ provider, context, visitor }: Visit): Promise<Client | undefined> {
  const client = await provider.reads.findClient(context.req.param('clientId') ?? '')
  return client?.accountId === visitor.user.accountId ? client : undefined
}

function lines(form: URLSearchParams, name: string): readonly string[] {
  return (form.get(name) ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
