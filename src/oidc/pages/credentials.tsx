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
import { Disclosure, TableCard, Title } from '../../web/parts/table.tsx'
import type { Texts } from '../../web/texts.ts'
import { Ago } from '../../web/times.tsx'
import { newId } from '../oidc-secrets.ts'
import { Once } from './clients.tsx'
import { acting, showing, type Visit } from './visit.ts'

const ACTION = 'credentials'

export const showCredentials = showing('administrator', (visit) => credentialsPage(visit))

export const createCredential = acting(
  'administrator',
  ACTION,
  async (visit, form) => {
    const made = await makeCredential(visit.provider, {
      accountId: visit.visitor.user.accountId,
      name: form.get('name') ?? '',
      days: form.get('days') ?? '',
      scopes: form.getAll('scope'),
    })
    return 'refused' in made
      ? credentialsPage(visit, { typed: { form, faults: faultsOf(made, visit.frame.texts) }, status: 400 })
      : credentialsPage(visit, { secret: made.text, status: 201 })
  },
  { kind: 'credential_created' },
)

export const revokeCredential = acting(
  'administrator',
  ACTION,
  async ({ provider, context, visitor, goTo }) => {
    await disableCredential(provider, visitor.user.accountId, context.req.param('credentialId') ?? '')
    return goTo('/developer/credentials')
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
  visit: Visit,
  {
    secret,
    typed = NOTHING_TYPED,
    status,
  }: { readonly secret?: string; readonly typed?: Typed; readonly status?: number } = {},
): Promise<Response> {
  const { provider, visitor, frame } = visit
  const csrf = visit.csrf(ACTION)
  const { texts, root } = frame
  const page = (
    <Page frame={frame} title={texts.credentials} wide>
      <Title text={texts.credentials}>
        <Disclosure title={texts.newCredential} open={typed.form.size > 0}>
          <form class="card" method="post" action={`${root}/developer/credentials`}>
            <Sealed csrf={csrf} once={newId(provider.random)} />
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
        rows={await provider.reads.listCredentials(visitor.user.accountId)}
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
            cell: (credential) => <CredentialState {...{ frame, credential, csrf }} />,
          },
        ]}
      />
    </Page>
  )
  return visit.show(page, { status })
}

function scopesOf({ texts }: Frame, { scopes }: Credential): string {
  return scopes?.map((scope) => texts.credentialScopeNames[scope]).join('; ') ?? texts.everything
}

const CredentialState: FC<{ frame: Frame; credential: Credential; csrf: string }> = ({
  frame,
  credential: { id, revokedAt, expiresAt },
  csrf,
}) => {
  const { texts, root } = frame
  if (revokedAt !== undefined) return <span class="soft">{texts.revoked}</span>
  if (expiresAt !== undefined && expiresAt <= frame.now) return <span class="soft">{texts.expired}</span>
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
