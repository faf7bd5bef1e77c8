/** Connected applications: what was allowed, changing the selection, disconnecting (OIDC-C7 to OIDC-C9). */

import type { FC } from 'hono/jsx'
import type { Grant } from '../../domain/ports/storage-oidc.ts'
import { Action, Page } from '../../web/entries.tsx'
import type { Texts } from '../../web/texts.ts'
import { Ago, shownTime } from '../../web/times.tsx'
import { type ChangedBy, changeSelection, revokeGrant } from '../grants/change-grant.ts'
import { checkedSelection, chooserOf, selectionOf } from '../grants/grants-api.ts'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { Chooser } from '../views/chooser.tsx'
import { acting, showing, type Visit } from './visit.ts'

export const showApplications = showing('anybody', async (visit) => {
  const { provider, visitor, frame } = visit
  const { id: userId, accountId } = visitor.user
  const grants = await provider.reads.listGrants({ accountId, userId })
  const applications = await Promise.all(
    grants.map(async (grant) => <Application visit={visit} grant={grant} name={await nameOf(provider, grant)} />),
  )
  return visit.show(
    <Page frame={frame} title={frame.texts.connected}>
      <h1>{frame.texts.connected}</h1>
      {applications.length === 0 && <p class="card soft">{frame.texts.noApplications}</p>}
      {applications}
    </Page>,
  )
})

export const disconnect = acting(
  'anybody',
  (context) => `disconnect ${grantIdOf(context)}`,
  async (visit) => {
    const grant = await ownGrant(visit)
    if (!grant) return visit.missing()
    await revokeGrant(visit.provider, grant, changedBy(visit))
    return visit.goTo('/applications')
  },
)

export const showSelection = showing('anybody', (visit) => selectionPage(visit))

export const submitSelection = acting(
  'anybody',
  (context) => `select ${grantIdOf(context)}`,
  async (visit, form) => {
    if (form.get('decision') === 'search') return selectionPage(visit, form)
    const grant = await ownGrant(visit)
    if (!grant) return visit.missing()
    const selection = await checkedSelection(visit.provider.reads, grant.accountId, selectionOf(form))
    if (selection === undefined) return visit.fault('invalid_choice')
    await changeSelection(visit.provider, grant, selection, changedBy(visit))
    return visit.goTo('/applications')
  },
)

async function selectionPage(visit: Visit, form?: URLSearchParams): Promise<Response> {
  const { provider, frame } = visit
  const { texts, root } = frame
  const grant = await ownGrant(visit)
  if (!grant) return visit.missing()
  const name = await nameOf(provider, grant)
  return visit.show(
    <Page frame={frame} title={name}>
      <form class="card" method="post" action={`${root}/applications/${grant.id}`}>
        <h1>{name}</h1>
        <input type="hidden" name="csrf" value={visit.csrf(`select ${grant.id}`)} />
        <Chooser texts={texts} {...(await chooserOf(provider, grant.accountId, grant.chargePoints ?? [], form))} />
        <p class="soft">{texts.selectionLead}</p>
        <div class="actions">
          <button class="main" type="submit" name="decision" value="save">
            {texts.save}
          </button>
          <a href={`${root}/applications`}>{texts.connected}</a>
        </div>
      </form>
    </Page>,
  )
}

function changedBy({ provider, context, visitor: { user } }: Visit): ChangedBy {
  return { actor: user.email, role: user.role, ip: addressOf(provider, context) }
}

function grantIdOf({ req }: OidcContext): string {
  return req.param('grantId') ?? ''
}

async function ownGrant({ provider, context, visitor }: Visit): Promise<Grant | undefined> {
  const grant = await provider.reads.findGrant(grantIdOf(context))
  return grant?.userId === visitor.user.id && grant.revokedAt === undefined ? grant : undefined
}

async function nameOf({ reads }: Provider, { clientId }: Grant): Promise<string> {
  return (await reads.findClient(clientId))?.name ?? clientId
}

/** What the user has allowed, and to whom: one card per grant (OIDC-C9). */
const Application: FC<{ visit: Visit; grant: Grant; name: string }> = ({ visit: { frame, csrf }, grant, name }) => {
  const { texts, root } = frame
  const { lastUsedAt, lastIp } = grant
  return (
    <section class="card" aria-label={name}>
      <h2>{name}</h2>
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
          csrf={csrf(`disconnect ${grant.id}`)}
          style="danger"
          ask={texts.disconnectAsk}
          text={texts.disconnect}
        />
      </div>
    </section>
  )
}

function sharedText({ chargePoints }: Grant, texts: Texts): string {
  if (chargePoints === 'all') return texts.all
  return chargePoints === undefined || chargePoints.length === 0 ? texts.none : chargePoints.join(', ')
}
