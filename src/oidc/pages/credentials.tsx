/** Developer pages: the account's API credentials (OIDC-U7). For administrators. */

import { createCredential as newCredential } from '../../accounts/credentials.ts'
import { AttributeError, checkedName } from '../../accounts/user.ts'
import { csrfToken } from '../../web/csrf.ts'
import { submitting, visiting } from '../../web/guard.ts'
import { frameOf, renderPage, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import type { Visitor } from '../login/visitor.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { CredentialsPage } from '../views/developer-pages.tsx'

const ACTION = 'credentials'

export const showCredentials = visiting('administrator', (provider: Provider, context, visitor) =>
  credentialsPage(provider, context, visitor),
)

export const createCredential = submitting(
  'administrator',
  ACTION,
  async (provider: Provider, context, visitor, form) => {
    const { writes, now, random } = provider
    const { id: userId, accountId } = visitor.user
    try {
      const name = checkedName(form.get('name') ?? '')
      const { text, credential } = newCredential(random, { accountId, name, createdAt: now() })
      await writes.createCredential(credential)
      await writes.audit({ at: now(), kind: 'credential_created', accountId, userId, ip: addressOf(provider, context) })
      return credentialsPage(provider, context, visitor, { secret: text, status: 201 })
    } catch (error) {
      if (!(error instanceof AttributeError)) throw error
      return credentialsPage(provider, context, visitor, { problem: error.message, status: 400 })
    }
  },
)

export const revokeCredential = submitting('administrator', ACTION, async (provider: Provider, context, visitor) => {
  const { writes, now } = provider
  const { id: userId, accountId } = visitor.user
  if (await writes.revokeCredential(accountId, context.req.param('credentialId') ?? '', now())) {
    await writes.audit({ at: now(), kind: 'credential_revoked', accountId, userId, ip: addressOf(provider, context) })
  }
  return seeOther(provider, context, `${rootOf(provider)}/developer/credentials`)
})

async function credentialsPage(
  provider: Provider,
  context: OidcContext,
  visitor: Visitor,
  {
    secret,
    problem,
    status = 200,
  }: { readonly secret?: string; readonly problem?: string; readonly status?: number } = {},
): Promise<Response> {
  const page = (
    <CredentialsPage
      frame={frameOf(provider, context, { visitor })}
      credentials={await provider.reads.listCredentials(visitor.user.accountId)}
      csrf={csrfToken(context, provider, visitor, ACTION)}
      now={provider.now()}
      {...(secret !== undefined && { secret })}
      {...(problem !== undefined && { problem })}
    />
  )
  return renderPage(provider, context, page, { status })
}
