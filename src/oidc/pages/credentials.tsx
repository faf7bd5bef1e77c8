/** Developer pages: the account's API credentials (OIDC-U7, ADMIN-B1). For administrators. */

import {
  revokeCredential as disableCredential,
  createCredential as makeCredential,
} from '../../application/credentials/credentials.ts'
import { MAX_CREDENTIAL_DAYS } from '../../domain/accounts/credentials.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { csrfToken } from '../../web/csrf.ts'
import { type Faults, NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import { submitting, visiting } from '../../web/guard.ts'
import { frameOf, renderPage, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import type { Texts } from '../../web/texts.ts'
import { newId } from '../oidc-secrets.ts'
import type { OidcContext, Provider, SignedIn } from '../provider.ts'
import { CredentialsPage } from '../views/credentials-page.tsx'

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
