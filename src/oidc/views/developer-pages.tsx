/** Pages for those who build applications: clients with their addresses and secrets. */

import type { FC } from 'hono/jsx'
import type { Client } from '../../domain/ports/storage-oidc.ts'
import { Action } from '../../web/action.tsx'
import { Choice, Entry, Lines, NOTHING_TYPED, Sealed, Submit, Ticks, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Warning } from '../../web/warning.tsx'

/** A secret on the only page that ever shows it. */
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
    <Page frame={frame} title={texts.developer}>
      <h1>{texts.developer}</h1>
      {clients.length > 0 && (
        <ul class="card choices">
          {clients.map(({ id, name, kind, disabledAt }) => (
            <li>
              <a href={`${root}/developer/clients/${id}`}>{name}</a>{' '}
              <span class="soft">
                {kind} {disabledAt !== undefined && texts.disabled}
              </span>
            </li>
          ))}
        </ul>
      )}
      <form class="card" method="post" action={`${root}/developer/clients`}>
        <h2>{texts.newApplication}</h2>
        <Problem frame={frame} problem={problem} />
        <Sealed csrf={csrf} once={once} />
        <Entry label={texts.name} name="name" typed={typed} required />
        <Choice
          label={texts.kind}
          name="kind"
          typed={typed}
          options={{ confidential: texts.confidential, public: texts.public }}
        />
        <Choice label={texts.type} name="type" typed={typed} options={{ web: texts.web, native: texts.native }} />
        <Lines label={texts.redirectUris} name="redirectUris" typed={typed} />
        <Ticks label={texts.scopesLabel} name="scope" typed={typed} options={allScopes} ticked={harmless(allScopes)} />
        <Submit>{texts.create}</Submit>
      </form>
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
      <h1>{client.name}</h1>
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
        <Ticks label={texts.scopesLabel} name="scope" typed={typed} options={allScopes} ticked={client.scopes} />
        <Submit>{texts.save}</Submit>
      </form>
      <div class="card actions">
        {client.kind === 'confidential' && (
          <Action to={`${path}/rotate-secret`} csrf={csrf}>
            {texts.rotateSecret}
          </Action>
        )}
        {client.disabledAt === undefined ? (
          <Action to={`${path}/disable`} csrf={csrf} ask={texts.disableClientAsk}>
            {texts.disable}
          </Action>
        ) : (
          <Action to={`${path}/enable`} csrf={csrf}>
            {texts.enable}
          </Action>
        )}
        <Action to={`${path}/delete`} csrf={csrf} style="danger" ask={texts.deleteClientAsk}>
          {texts.delete}
        </Action>
      </div>
      {client.kind === 'confidential' && <p class="soft">{texts.rotateAdvice}</p>}
    </Page>
  )
}

/** What acts on charge points is ticked by whoever wants it. */
function harmless(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => scope !== 'chargers:control')
}
