/** Connected applications: what was allowed, changing the selection, disconnecting (OIDC-C7 to OIDC-C9). */

import type { FC } from 'hono/jsx'
import type { Client, Grant } from '../../domain/ports/storage-oidc-records.ts'
import { Action, type Frame, Page } from '../../web/entries.tsx'
import { submitting, visiting } from '../../web/guard.ts'
import { csrfToken, frameOf, renderFault, renderPage, seeOther } from '../../web/respond.tsx'
import { rootOf } from '../../web/site.ts'
import type { Texts } from '../../web/texts.ts'
import { Ago, shownTime } from '../../web/times.tsx'
import { type ChangedBy, changeSelection, revokeGrant } from '../grants/change-grant.ts'
import { checkedSelection, chooserOf, selectionOf } from '../grants/grants-api.ts'
import { addressOf, type OidcContext, type Provider, type SignedIn } from '../provider.ts'
import { Chooser, type ChooserProps } from '../views/chooser.tsx'

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

/** What the user has allowed, and to whom: one card per grant (OIDC-C9). */
interface ConnectedApplication {
  readonly grant: Grant
  readonly client: Pick<Client, 'name'>
  readonly disconnectCsrf: string
}

const ApplicationsPage: FC<{ frame: Frame; applications: readonly ConnectedApplication[] }> = ({
  frame,
  applications,
}) => (
  <Page frame={frame} title={frame.texts.connected}>
    <h1>{frame.texts.connected}</h1>
    {applications.length === 0 && <p class="card soft">{frame.texts.noApplications}</p>}
    {applications.map((application) => (
      <Application frame={frame} {...application} />
    ))}
  </Page>
)

const Application: FC<{ frame: Frame } & ConnectedApplication> = ({ frame, grant, client, disconnectCsrf }) => {
  const { texts, root } = frame
  const { lastUsedAt, lastIp } = grant
  return (
    <section class="card" aria-label={client.name}>
      <h2>{client.name}</h2>
      {grant.reuseSeenAt !== undefined && <p class="warn">{texts.reuseSeen(shownTime(frame, grant.reuseSeenAt))}</p>}
      <dl>
        <dt>{texts.may}</dt>
        <dd>{grant.scopes.map((scope) => texts.scopes[scope] ?? scope).join('; ')}</dd>
        <dt>{texts.shares}</dt>
        <dd>{sharedText(grant, texts)}</dd>
        <dt>{texts.approvedOn}</dt>
        <dd>
          <Ago frame={frame} at={grant.createdAt} />
        </dd>
        <dt>{texts.lastUsed}</dt>
        <dd>
          {lastUsedAt === undefined ? texts.never : shownTime(frame, lastUsedAt)}
          {lastIp !== undefined && ` ${texts.from} ${lastIp}`}
        </dd>
      </dl>
      <div class="actions">
        {grant.chargePoints !== undefined && <a href={`${root}/applications/${grant.id}`}>{texts.edit}</a>}
        <Action
          to={`${root}/applications/${grant.id}/disconnect`}
          csrf={disconnectCsrf}
          style="danger"
          ask={texts.disconnectAsk}
          text={texts.disconnect}
        />
      </div>
    </section>
  )
}

const SelectionPage: FC<{
  frame: Frame
  grantId: string
  clientName: string
  csrf: string
  chooser: Omit<ChooserProps, 'texts'>
}> = ({ frame, grantId, clientName, csrf, chooser }) => (
  <Page frame={frame} title={clientName}>
    <form class="card" method="post" action={`${frame.root}/applications/${grantId}`}>
      <h1>{clientName}</h1>
      <input type="hidden" name="csrf" value={csrf} />
      <Chooser texts={frame.texts} {...chooser} />
      <p class="soft">{frame.texts.selectionLead}</p>
      <div class="actions">
        <button class="main" type="submit" name="decision" value="save">
          {frame.texts.save}
        </button>
        <a href={`${frame.root}/applications`}>{frame.texts.connected}</a>
      </div>
    </form>
  </Page>
)

function sharedText({ chargePoints }: Grant, texts: Texts): string {
  if (chargePoints === 'all') return texts.all
  return chargePoints === undefined || chargePoints.length === 0 ? texts.none : chargePoints.join(', ')
}
