/** What an application asks for, and the user's decision (OIDC-C1 to OIDC-C3). Client texts are shown, not followed. */
import type { FC } from 'hono/jsx'
import type { Client } from '../../domain/ports/storage-oidc.ts'
import { type Frame, Page } from '../../web/layout.tsx'
import { shownDate } from '../../web/times.tsx'
import { Chooser, type ChooserProps } from './chooser.tsx'

export const ConsentPage: FC<{
  readonly frame: Frame
  readonly interactionPath: string
  readonly csrf: string
  readonly switchCsrf: string
  readonly client: Pick<Client, 'name' | 'kind' | 'origin' | 'createdAt'>
  readonly redirectHost: string
  readonly user: { readonly email: string; readonly name?: string | undefined }
  readonly scopes: readonly { readonly name: string; readonly ticked: boolean; readonly granted: boolean }[]
  readonly withheld: readonly string[]
  readonly chooser?: Omit<ChooserProps, 'texts'> | undefined
}> = (props) => {
  const { frame, interactionPath, csrf, switchCsrf, client, redirectHost, user, scopes, withheld, chooser } = props
  const { texts } = frame
  return (
    <Page frame={frame} title={texts.consentTitle(client.name)} narrow>
      <div class="card">
        <div class="badge" aria-hidden="true">
          {initials(client.name)}
        </div>
        <h1>{texts.consentTitle(client.name)}</h1>
        <p class={client.origin === 'dynamic' ? 'warn' : 'soft'}>
          {client.origin === 'dynamic'
            ? texts.selfRegistered(shownDate(frame, client.createdAt))
            : client.kind === 'confidential'
              ? texts.kindConfidential
              : texts.kindPublic}
        </p>
        <p>
          {texts.leadsTo} <strong class="host">{redirectHost}</strong>
        </p>
        <form method="post" action={`${interactionPath}/switch`}>
          <input type="hidden" name="csrf" value={switchCsrf} />
          <p>
            {texts.signedInAs(user.name === undefined ? user.email : `${user.name} (${user.email})`)}{' '}
            <button class="plain" type="submit">
              {texts.notYou}
            </button>
          </p>
        </form>
        <form method="post" action={`${interactionPath}/consent`}>
          <input type="hidden" name="csrf" value={csrf} />
          <h2>{texts.asksFor}</h2>
          <ul class="choices">
            {scopes.map(({ name, ticked, granted }) => (
              <li>
                <label>
                  <input type="checkbox" name="scope" value={name} checked={ticked} disabled={name === 'openid'} />
                  <span>
                    {texts.scopes[name]} {granted && <span class="soft">({texts.granted})</span>}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          {withheld.length > 0 && (
            <p class="soft">{texts.withheld(withheld.map((name) => texts.scopes[name] ?? name).join('; '))}</p>
          )}
          {chooser && <Chooser texts={texts} {...chooser} />}
          <div class="actions">
            <button class="main" type="submit" name="decision" value="approve">
              {texts.allow}
            </button>
            <button type="submit" name="decision" value="deny">
              {texts.deny}
            </button>
          </div>
        </form>
      </div>
    </Page>
  )
}

/** Instead of the client's logo, which would tell its server who looks (OIDC-C1). */
function initials(name: string): string {
  return name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}
