import type { FC } from 'hono/jsx'
import { SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'
import { API_SCOPE_NAMES } from '../../domain/accounts/scopes.ts'
import type { Credential } from '../../domain/ports/storage.ts'
import { Action } from '../../web/action.tsx'
import { Entry, Sealed, Submit, Ticks, type Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { Disclosure } from '../../web/parts/disclosure.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import { Ago } from '../../web/times.tsx'
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
    <Page frame={frame} title={texts.credentials} wide>
      <Title text={texts.credentials}>
        <Disclosure title={texts.newCredential} open={typed.form.size > 0}>
          <form class="card" method="post" action={`${root}/developer/credentials`}>
            <Sealed csrf={csrf} once={once} />
            <Entry label={texts.name} name="name" typed={typed} required />
            <Entry label={texts.expiresInDays} name="days" typed={typed} inputmode="numeric" />
            <Ticks
              label={texts.credentialScopes}
              name="scope"
              typed={typed}
              options={API_SCOPE_NAMES}
              names={texts.credentialScopeNames}
              ticked={[]}
              hint={texts.everythingHint}
            />
            <Submit>{texts.create}</Submit>
          </form>
        </Disclosure>
      </Title>
      <Once frame={frame} secret={secret} />
      <TableCard<Credential>
        label={texts.credentials}
        oneLine
        rows={credentials}
        columns={[
          { title: texts.name, whole: ({ name }) => name, text: ({ name }) => name },
          {
            title: texts.beginsWith,
            kind: 'host',
            width: 240,
            wideOnly: true,
            text: ({ id }) => `${SECRET_PREFIXES.apiCredential}${id}_…`,
          },
          {
            title: texts.credentialScopes,
            wideOnly: true,
            whole: (credential) => scopesOf(frame, credential),
            text: (credential) => scopesOf(frame, credential),
          },
          {
            title: texts.lastUsed,
            kind: 'time',
            width: 136,
            wideOnly: true,
            cell: ({ lastUsedAt: at }) => (at === undefined ? texts.never : <Ago frame={frame} at={at} />),
          },
          {
            title: texts.expiresOn,
            kind: 'time',
            width: 136,
            wideOnly: true,
            cell: ({ expiresAt: at }) => (at === undefined ? texts.never : <Ago frame={frame} at={at} />),
          },
          {
            kind: 'acts',
            width: 104,
            cell: (credential) => <CredentialState {...{ frame, credential, now, csrf }} />,
          },
        ]}
      />
    </Page>
  )
}

function scopesOf({ texts }: Frame, { scopes }: Credential): string {
  return scopes?.map((scope) => texts.credentialScopeNames[scope]).join('; ') ?? texts.everything
}

const CredentialState: FC<{ frame: Frame; credential: Credential; now: number; csrf: string }> = ({
  frame,
  credential: { id, revokedAt, expiresAt },
  now,
  csrf,
}) => {
  const { texts, root } = frame
  if (revokedAt !== undefined) return <span class="soft">{texts.revoked}</span>
  if (expiresAt !== undefined && expiresAt <= now) return <span class="soft">{texts.expired}</span>
  return (
    <Action to={`${root}/developer/credentials/${id}/revoke`} csrf={csrf} style="danger" ask={texts.revokeAsk}>
      {texts.revoke}
    </Action>
  )
}
