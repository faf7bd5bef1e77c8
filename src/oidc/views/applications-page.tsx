/** What the user has allowed, and to whom: one card per grant (OIDC-C9). */
import type { FC } from 'hono/jsx'
import type { Client, Grant } from '../../domain/ports/storage-oidc.ts'
import { Action } from '../../web/action.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import type { Texts } from '../../web/texts.ts'
import { Ago, shownTime } from '../../web/times.tsx'
import { Chooser, type ChooserProps } from './chooser.tsx'

interface ConnectedApplication {
  readonly grant: Grant
  readonly client: Pick<Client, 'name'>
  readonly disconnectCsrf: string
}

export const ApplicationsPage: FC<{ frame: Frame; applications: readonly ConnectedApplication[] }> = ({
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
        >
          {texts.disconnect}
        </Action>
      </div>
    </section>
  )
}

export const SelectionPage: FC<{
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
