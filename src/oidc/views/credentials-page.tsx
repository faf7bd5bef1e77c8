/** The account's API credentials: what each may do, until when, and a form for another one. */
import type { FC } from 'hono/jsx'
import { API_SCOPE_NAMES } from '../../domain/accounts/scopes.ts'
import type { Credential } from '../../domain/ports/storage.ts'
import { Action } from '../../web/action.tsx'
import { Entry, Sealed, Submit, Ticks, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Ago, shownTime } from '../../web/times.tsx'
import { Once } from './developer-pages.tsx'

export const CredentialsPage: FC<{
  frame: Frame
  credentials: readonly Credential[]
  csrf: string
  once: string
  now: number
  typed: Typed
  secret?: string | undefined
}> = ({ frame, credentials, csrf, once, now, typed, secret }) => {
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
            <dt>{texts.credentialScopes}</dt>
            <dd>{credential.scopes?.join(' ') ?? texts.everything}</dd>
            <dt>{texts.lastUsed}</dt>
            <dd>{credential.lastUsedAt === undefined ? texts.never : shownTime(frame, credential.lastUsedAt)}</dd>
            {credential.expiresAt !== undefined && (
              <>
                <dt>{texts.expiresOn}</dt>
                <dd>
                  <Ago frame={frame} at={credential.expiresAt} />
                </dd>
              </>
            )}
          </dl>
          <CredentialState frame={frame} credential={credential} now={now} csrf={csrf} />
        </section>
      ))}
      <form class="card" method="post" action={`${root}/developer/credentials`}>
        <h2>{texts.newCredential}</h2>
        <Sealed csrf={csrf} once={once} />
        <Entry label={texts.name} name="name" typed={typed} required />
        <Entry label={texts.expiresInDays} name="days" typed={typed} inputmode="numeric" />
        <Ticks
          label={texts.credentialScopes}
          name="scope"
          typed={typed}
          options={API_SCOPE_NAMES}
          ticked={[]}
          hint={texts.everythingHint}
        />
        <Submit>{texts.create}</Submit>
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
    <Action to={`${root}/developer/credentials/${id}/revoke`} csrf={csrf} style="danger" ask={texts.revokeAsk}>
      {texts.revoke}
    </Action>
  )
}
