/** Pages for those who build applications: clients with their addresses and secrets, and API credentials. */
import type { FC } from 'hono/jsx'
import type { Credential } from '../../ports/storage.ts'
import type { Client } from '../../ports/storage-oidc.ts'
import { Action } from '../../web/action.tsx'
import { Field, type Frame, Page, shownTime } from '../../web/layout.tsx'

/** A secret on the only page that ever shows it. */
const Once: FC<{ frame: Frame; secret: string | undefined }> = ({ frame, secret }) =>
  secret === undefined ? null : (
    <p class="card" role="status">
      {frame.texts.shownOnce} <code>{secret}</code>
    </p>
  )

const Problem: FC<{ frame: Frame; problem: string | undefined }> = ({ frame, problem }) =>
  problem === undefined ? null : (
    <p class="warn" role="alert">
      {frame.texts.invalid(problem)}
    </p>
  )

const Lines: FC<{ label: string; name: string; lines: readonly string[] }> = ({ label, name, lines }) => (
  <label class="field">
    <span>{label}</span>
    <textarea name={name} spellcheck={false}>
      {lines.join('\n')}
    </textarea>
  </label>
)

const Scopes: FC<{ frame: Frame; all: readonly string[]; ticked: readonly string[] }> = ({ frame, all, ticked }) => (
  <fieldset>
    <legend>{frame.texts.scopesLabel}</legend>
    <ul class="choices">
      {all.map((scope) => (
        <li>
          <label>
            <input type="checkbox" name="scope" value={scope} checked={ticked.includes(scope)} />
            <code>{scope}</code>
          </label>
        </li>
      ))}
    </ul>
  </fieldset>
)

export const ClientsPage: FC<{
  frame: Frame
  clients: readonly Client[]
  csrf: string
  allScopes: readonly string[]
  problem?: string
}> = ({ frame, clients, csrf, allScopes, problem }) => {
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
        <input type="hidden" name="csrf" value={csrf} />
        <Field label={texts.name} name="name" required />
        <Choices label={texts.kind} name="kind" options={{ confidential: texts.confidential, public: texts.public }} />
        <Choices label={texts.type} name="type" options={{ web: texts.web, native: texts.native }} />
        <Lines label={texts.redirectUris} name="redirectUris" lines={[]} />
        <Scopes frame={frame} all={allScopes} ticked={allScopes} />
        <div class="actions">
          <button class="main" type="submit">
            {texts.create}
          </button>
        </div>
      </form>
    </Page>
  )
}

const Choices: FC<{ label: string; name: string; options: Readonly<Record<string, string>> }> = ({
  label,
  name,
  options,
}) => (
  <label class="field">
    <span>{label}</span>
    <select name={name}>
      {Object.entries(options).map(([value, text]) => (
        <option value={value}>{text}</option>
      ))}
    </select>
  </label>
)

export const ClientPage: FC<{
  frame: Frame
  client: Client
  csrf: string
  allScopes: readonly string[]
  secret?: string
  problem?: string
}> = ({ frame, client, csrf, allScopes, secret, problem }) => {
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
        <Field label={texts.name} name="name" value={client.name} required />
        <Lines label={texts.redirectUris} name="redirectUris" lines={client.redirectUris} />
        <Lines label={texts.logoutUris} name="logoutUris" lines={client.postLogoutRedirectUris} />
        <Scopes frame={frame} all={allScopes} ticked={client.scopes} />
        <div class="actions">
          <button class="main" type="submit">
            {texts.save}
          </button>
        </div>
      </form>
      <div class="card actions">
        {client.kind === 'confidential' && (
          <Action to={`${path}/rotate-secret`} csrf={csrf}>
            {texts.rotateSecret}
          </Action>
        )}
        <Action to={`${path}/${client.disabledAt === undefined ? 'disable' : 'enable'}`} csrf={csrf}>
          {client.disabledAt === undefined ? texts.disable : texts.enable}
        </Action>
        <Action to={`${path}/delete`} csrf={csrf} style="danger">
          {texts.delete}
        </Action>
      </div>
      {client.kind === 'confidential' && <p class="soft">{texts.rotateAdvice}</p>}
    </Page>
  )
}

export const CredentialsPage: FC<{
  frame: Frame
  credentials: readonly Credential[]
  csrf: string
  now: number
  secret?: string
  problem?: string
}> = ({ frame, credentials, csrf, now, secret, problem }) => {
  const { texts, root } = frame
  return (
    <Page frame={frame} title={texts.credentials}>
      <h1>{texts.credentials}</h1>
      <Once frame={frame} secret={secret} />
      {credentials.map((credential) => (
        <section class="card">
          <h2>{credential.name}</h2>
          <dl>
            <dt>{texts.beginsWith}</dt>
            <dd>
              <code>pwk_{credential.id}_…</code>
            </dd>
            <dt>{texts.lastUsed}</dt>
            <dd>{credential.lastUsedAt === undefined ? texts.never : shownTime(credential.lastUsedAt)}</dd>
          </dl>
          <CredentialState frame={frame} credential={credential} now={now} csrf={csrf} />
        </section>
      ))}
      <form class="card" method="post" action={`${root}/developer/credentials`}>
        <h2>{texts.newCredential}</h2>
        <Problem frame={frame} problem={problem} />
        <input type="hidden" name="csrf" value={csrf} />
        <Field label={texts.name} name="name" required />
        <div class="actions">
          <button class="main" type="submit">
            {texts.create}
          </button>
        </div>
      </form>
    </Page>
  )
}

const CredentialState: FC<{ frame: Frame; credential: Credential; now: number; csrf: string }> = ({
  frame,
  credential: { id, revokedAt, expiresAt },
  now,
  csrf,
}) => {
  const { texts, root } = frame
  if (revokedAt !== undefined) return <p class="soft">{texts.revoked}</p>
  if (expiresAt !== undefined && expiresAt <= now) return <p class="soft">{texts.expired}</p>
  return (
    <Action to={`${root}/developer/credentials/${id}/revoke`} csrf={csrf} style="danger">
      {texts.revoke}
    </Action>
  )
}
