/** Connected applications: what was allowed, changing the selection, disconnecting (OIDC-C7 to OIDC-C9). */

import type { Grant } from '../../domain/ports/storage-oidc.ts'
import { csrfToken } from '../../web/csrf.ts'
import { submitting, visiting } from '../../web/guard.ts'
import { frameOf, renderFault, renderPage, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import { type ChangedBy, changeSelection, revokeGrant } from '../grants/change-grant.ts'
import { checkedSelection, chooserOf, selectionOf } from '../grants/charge-points.ts'
import { addressOf, type OidcContext, type Provider, type SignedIn } from '../provider.ts'
import { ApplicationsPage, SelectionPage } from '../views/applications-page.tsx'

export const showApplications = visiting('anybody', async (provider: Provider, context, visitor) => {
  const { reads } = provider
  const grants = await reads.listGrants({ accountId: visitor.user.accountId, userId: visitor.user.id })
  const applications = await Promise.all(
    grants.map(async (grant) => ({
      grant,
      client: { name: (await reads.findClient(grant.clientId))?.name ?? grant.clientId },
      disconnectCsrf: csrfToken(context, provider, visitor, `disconnect ${grant.id}`),
    })),
  )
  const page = <ApplicationsPage frame={frameOf(provider, context, { visitor })} applications={applications} />
  return renderPage(provider, context, page)
})

export const disconnect = submitting(
  'anybody',
  (context) => `disconnect ${grantIdOf(context)}`,
  async (provider: Provider, context, visitor) => {
    const grant = await ownGrant(provider, visitor, grantIdOf(context))
    if (!grant) return renderFault(provider, context, 'not_found', { status: 404 })
    await revokeGrant(provider, grant, changedBy(provider, context, visitor))
    return seeOther(provider, context, `${rootOf(provider)}/applications`)
  },
)

export const showSelection = visiting('anybody', (provider: Provider, context, visitor) =>
  selectionPage(provider, context, visitor),
)

export const submitSelection = submitting(
  'anybody',
  (context) => `select ${grantIdOf(context)}`,
  async (provider: Provider, context, visitor, form) => {
    if (form.get('decision') === 'search') return selectionPage(provider, context, visitor, form)
    const grant = await ownGrant(provider, visitor, grantIdOf(context))
    if (!grant) return renderFault(provider, context, 'not_found', { status: 404 })
    const selection = await checkedSelection(provider.reads, grant.accountId, selectionOf(form))
    if (selection === undefined) return renderFault(provider, context, 'invalid_choice')
    await changeSelection(provider, grant, selection, changedBy(provider, context, visitor))
    return seeOther(provider, context, `${rootOf(provider)}/applications`)
  },
)

async function selectionPage(
  provider: Provider,
  context: OidcContext,
  visitor: SignedIn,
  form?: URLSearchParams,
): Promise<Response> {
  const grant = await ownGrant(provider, visitor, grantIdOf(context))
  if (!grant) return renderFault(provider, context, 'not_found', { status: 404 })
  const page = (
    <SelectionPage
      frame={frameOf(provider, context, { visitor })}
      grantId={grant.id}
      clientName={(await provider.reads.findClient(grant.clientId))?.name ?? grant.clientId}
      csrf={csrfToken(context, provider, visitor, `select ${grant.id}`)}
      chooser={await chooserOf(provider, grant.accountId, grant.chargePoints ?? [], form)}
    />
  )
  return renderPage(provider, context, page)
}

function changedBy(provider: Provider, context: OidcContext, { user }: SignedIn): ChangedBy {
  return { actor: user.email, role: user.role, ip: addressOf(provider, context) }
}

function grantIdOf({ req }: OidcContext): string {
  return req.param('grantId') ?? ''
}

async function ownGrant({ reads }: Provider, { user }: SignedIn, id: string): Promise<Grant | undefined> {
  const grant = await reads.findGrant(id)
  return grant?.userId === user.id && grant.revokedAt === undefined ? grant : undefined
}
