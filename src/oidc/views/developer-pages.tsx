import type { FC } from 'hono/jsx'
import type { Client } from '../../domain/ports/storage-oidc-records.ts'
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

export const Once: FC<{ frame: Frame; secret: string | undefined }> = ({ frame, secret }) =>
  secret === undefined ? null : (
    <p class="card" role="status">
      {frame.texts.shownOnce} <code>{secret}</code>
    </p>
  )

const Problem: FC<{ frame: Frame; problem: string | undefined }> = ({ frame, problem }) =>
  problem === undefined ? null : <Warning>{frame.texts.invalid(problem)}</Warning>

export const ClientsPage: FC<{
  frame: Frame
  clients: readonly Client[]
  csrf: string
  once: string
  allScopes: readonly string[]
  typed: Typed
  problem?: string | undefined
}> = ({ frame, clients, csrf, once, allScopes, typed, problem }) => {
  const { texts, root } = frame
  return (
    <Page frame={frame} title={texts.developer} wide>
      <Title text={texts.developer}>
        <Disclosure title={texts.newApplication} open={typed.form.size > 0}>
          <form class="card" method="post" action={`${root}/developer/clients`}>
            <Problem frame={frame} problem={problem} />
            <Sealed csrf={csrf} once={once} />
            <Entry label={texts.name} name="name" typed={typed} required />
            <Choice label={texts.type} name="type" typed={typed} options={{ web: texts.web, native: texts.native }} />
            <Choice
              label={texts.kind}
              name="kind"
              typed={typed}
              options={{ confidential: texts.confidential, public: texts.public }}
            />
            <Lines label={texts.redirectUris} name="redirectUris" typed={typed} />
            <Ticks
              label={texts.scopesLabel}
              name="scope"
              typed={typed}
              options={allScopes}
              names={texts.scopes}
              ticked={harmless(allScopes)}
            />
            <Submit>{texts.create}</Submit>
          </form>
        </Disclosure>
      </Title>
      <TableCard<Client>
        label={texts.developer}
        oneLine
        rows={clients}
        empty={texts.noClients}
        columns={[
          {
            title: texts.name,
            kind: 'name',
            whole: ({ name }) => name,
            cell: ({ id, name }) => <TextLink to={`${root}/developer/clients/${id}`} text={name} />,
          },
          {
            title: texts.kind,
            width: 240,
            whole: ({ kind }) => texts[kind],
            cell: ({ kind }) => texts[kind],
          },
          { title: texts.clientId, kind: 'host', wideOnly: true, whole: ({ id }) => id, text: ({ id }) => id },
          {
            width: 120,
            cell: ({ disabledAt }) => disabledAt !== undefined && <span class="chip over">{texts.disabled}</span>,
          },
        ]}
      />
    </Page>
  )
}

export const ClientPage: FC<{
  frame: Frame
  client: Client
  csrf: string
  allScopes: readonly string[]
  secret?: string | undefined
  typed?: Typed | undefined
  problem?: string | undefined
}> = ({ frame, client, csrf, allScopes, secret, typed = NOTHING_TYPED, problem }) => {
  const { texts, root } = frame
  const path = `${root}/developer/clients/${client.id}`
  return (
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
          <dd>{client.kind === 'confidential' ? texts.confidential : texts.public}</dd>
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
        <Ticks
          label={texts.scopesLabel}
          name="scope"
          typed={typed}
          options={allScopes}
          names={texts.scopes}
          ticked={client.scopes}
        />
        <Submit>{texts.save}</Submit>
      </form>
    </Page>
  )
}

/** Scopes that act on charge points start unticked. */
function harmless(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => scope !== 'chargers:control')
}
