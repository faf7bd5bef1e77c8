/** Developer pages: the account's API credentials (OIDC-U7, ADMIN-B1). For administrators. */

import { isApiScope } from '../../api/access/access.ts'
import { createCredential as credentialOf, daysFrom, MOST_CREDENTIAL_DAYS } from '../../domain/accounts/credentials.ts'
import { AttributeError, checkedName } from '../../domain/accounts/user.ts'
import { csrfToken } from '../../web/csrf.ts'
import { type Faults, NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import { submitting, visiting } from '../../web/guard.ts'
import { frameOf, renderPage, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import type { Texts } from '../../web/texts.ts'
import type { Visitor } from '../login/visitor.ts'
import { newId } from '../oidc-secrets.ts'
import type { OidcContext, Provider } from '../provider.ts'
import { CredentialsPage } from '../views/credentials-page.tsx'

const ACTION = 'credentials'
const DAY_MS = 86_400_000

export const showCredentials = visiting('administrator', (provider: Provider, context, visitor) =>
  credentialsPage(provider, context, visitor),
)

export const createCredential = submitting(
  'administrator',
  ACTION,
  async (provider: Provider, context, visitor, form) => {
    const { writes, now, random } = provider
    const faults = faultsOf(form, frameOf(provider, context).texts)
    if (Object.keys(faults).length > 0) {
      return credentialsPage(provider, context, visitor, { typed: { form, faults }, status: 400 })
    }
    const days = daysFrom(form.get('days') ?? '')
    const { text, credential } = credentialOf(random, {
      accountId: visitor.user.accountId,
      name: checkedName(form.get('name') ?? ''),
      createdAt: now(),
      scopes: form.getAll('scope'),
      ...(days !== undefined && { expiresAt: now() + days * DAY_MS }),
    })
    await writes.createCredential(credential)
    return credentialsPage(provider, context, visitor, { secret: text, status: 201 })
  },
  { kind: 'credential_created' },
)

export const revokeCredential = submitting(
  'administrator',
  ACTION,
  async (provider: Provider, context, visitor) => {
    const id = context.req.param('credentialId') ?? ''
    await provider.writes.revokeCredential(visitor.user.accountId, id, provider.now())
    return seeOther(provider, context, `${rootOf(provider)}/developer/credentials`)
  },
  { kind: 'credential_revoked' },
)

function faultsOf(form: URLSearchParams, texts: Texts): Faults {
  const days = form.get('days')?.trim() ?? ''
  return {
    ...nameFault(form.get('name') ?? ''),
    ...(days !== '' && daysFrom(days) === undefined && { days: texts.unusableDays(MOST_CREDENTIAL_DAYS) }),
    ...(!form.getAll('scope').every(isApiScope) && { scope: texts.unusableScope }),
  }
}

function nameFault(text: string): Faults {
  try {
    checkedName(text)
    return {}
  } catch (error) {
    if (!(error instanceof AttributeError)) throw error
    return { name: error.message }
  }
}

async function credentialsPage(
  provider: Provider,
  context: OidcContext,
  visitor: Visitor,
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
      {...(secret !== undefined && { secret })}
    />
  )
  return renderPage(provider, context, page, { status })
}
