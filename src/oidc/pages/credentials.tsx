/** Developer pages: the account's API credentials (OIDC-U7, ADMIN-B1). For administrators. */

import type { FC } from 'hono/jsx'
import {
  revokeCredential as disableCredential,
  createCredential as makeCredential,
} from '../../application/credentials/credentials.ts'
import { MAX_CREDENTIAL_DAYS, SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'
import { API_SCOPE_NAMES } from '../../domain/accounts/scopes.ts'
import type { Credential, Refusal } from '../../domain/ports/storage-records.ts'
import {
  Action,
  Entry,
  type Faults,
  type Frame,
  NOTHING_TYPED,
  Page,
  Sealed,
  Submit,
  Ticks,
  type Typed,
} from '../../web/entries.tsx'
import { submitting, visiting } from '../../web/guard.ts'
import { Disclosure, TableCard, Title } from '../../web/parts/table.tsx'
import { csrfToken, frameOf, renderPage, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import type { Texts } from '../../web/texts.ts'
import { Ago } from '../../web/times.tsx'
import { newId } from '../oidc-secrets.ts'
import type { OidcContext, Provider, SignedIn } from '../provider.ts'
import { Once } from '../views/developer-pages.tsx'

const ACTION = 'credentials'

export const showCredentials = visiting('administrator', (provider: Provider, context, visitor) =>
  credentialsPage(provider, context, visitor),
)

export const createCredential = submitting(
  'administrator',
  ACTION,
  async (provider: Provider, context, visitor, form) => {
    const made = await makeCredential(provider, {
      accountId: visitor.user.accountId,
      name: form.get('name') ?? '',
      days: form.get('days') ?? '',
      scopes: form.getAll('scope'),
    })
    if ('refused' in made) {
      const faults = faultsOf(made, frameOf(provider, context).texts)
      return credentialsPage(provider, context, visitor, { typed: { form, faults }, status: 400 })
    }
    return credentialsPage(provider, context, visitor, { secret: made.text, status: 201 })
  },
  { kind: 'credential_created' },
)

export const revokeCredential = submitting(
  'administrator',
  ACTION,
  async (provider: Provider, context, visitor) => {
    const id = context.req.param('credentialId') ?? ''
    await disableCredential(provider, visitor.user.accountId, id)
    return seeOther(provider, context, `${rootOf(provider)}/developer/credentials`)
  },
  { kind: 'credential_revoked' },
)

function faultsOf({ errors = [] }: Refusal, texts: Texts): Faults {
  const words: Faults = { days: texts.unusableDays(MAX_CREDENTIAL_DAYS), scope: texts.unusableScope }
  return Object.fromEntries(
    errors.map(({ pointer, message }) => [pointer.slice(1), words[pointer.slice(1)] ?? message]),
  )
}

async function credentialsPage(
  provider: Provider,
  context: OidcContext,
  visitor: SignedIn,
  {
    secret,
    typed = NOTHING_TYPED,
    status = 200,
  }: {
    readonly secret?: string | undefined
    readonly typed?: Typed | undefined
    readonly status?: number | undefined
  } = {},
): Promise<Response> {
  const page = (
    <CredentialsPage
      frame={frameOf(provider, context, { visitor })}
      credentials={await provider.reads.listCredentials(visitor.user.accountId)}
      csrf={csrfToken(context, provider, visitor, ACTION)}
      once={newId(provider.random)}
      now={provider.now()}
      typed={typed}
      secret={secret}
    />
  )
  return renderPage(provider, context, page, { status })
}

const CredentialsPage: FC<{
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
    <Action
      to={`${root}/developer/credentials/${id}/revoke`}
      csrf={csrf}
      style="danger"
      ask={texts.revokeAsk}
      text={texts.revoke}
    />
  )
}
