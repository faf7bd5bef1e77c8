/** The page behind an invitation: the holder of the link chooses a password, once (ADMIN-E1). */

import type { FC } from 'hono/jsx'
import { audited } from '../../application/audit/auditing.ts'
import { checkPassword, hashPassword, LaneFull } from '../../domain/accounts/password.ts'
import { passwordLinkHash } from '../../domain/accounts/password-link.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import {
  Entry,
  type Faults,
  type Frame,
  NOTHING_TYPED,
  Page,
  Sealed,
  Submit,
  type Typed,
  Warning,
} from '../../web/entries.tsx'
import { readOwnForm } from '../../web/guard.ts'
import { csrfToken, frameOf, renderPage } from '../../web/respond.tsx'
import { addressOf, type OidcContext, type Provider } from '../provider.ts'
import { ownPasswordTexts } from '../views/texts.ts'

const ACTION = 'password link'

export async function showPasswordLink(provider: Provider, context: OidcContext): Promise<Response> {
  const user = await userOfLink(provider, context)
  return user ? linkPage(provider, context, { user }) : linkPage(provider, context, { status: 404 })
}

export async function submitPasswordLink(provider: Provider, context: OidcContext): Promise<Response> {
  const form = await readOwnForm(provider, context, undefined, ACTION)
  if (form instanceof Response) return form
  const user = await userOfLink(provider, context)
  const hash = linkHash(context)
  if (!user || hash === undefined) return linkPage(provider, context, { status: 404 })
  const chosen = form.get('newPassword') ?? ''
  const complaint = checkPassword(chosen)
  if (complaint !== undefined) {
    return linkPage(provider, context, { user, faults: { newPassword: complaint }, status: 400 })
  }
  try {
    const passwordHash = await hashPassword(chosen, provider.random)
    const done = await spend(provider, context, user, hash, passwordHash)
    return done ? linkPage(provider, context, { chosen: true }) : linkPage(provider, context, { status: 404 })
  } catch (error) {
    if (!(error instanceof LaneFull)) throw error
    const faults = { newPassword: frameOf(provider, context).texts.busy }
    return linkPage(provider, context, { user, faults, status: 503 })
  }
}

function spend(
  provider: Provider,
  context: OidcContext,
  { id: userId, accountId, email: actor, role }: User,
  hash: string,
  passwordHash: string,
): Promise<boolean> {
  const at = provider.now()
  const event = { at, kind: 'password_changed', accountId, userId, actor, role, ip: addressOf(provider, context) }
  return audited(
    provider,
    event,
    () => provider.writes.spendPasswordLink(hash, passwordHash, at),
    (spent) => ({ outcome: spent ? 'done' : 'refused' }),
  )
}

function linkHash({ req }: OidcContext): string | undefined {
  return passwordLinkHash(req.param('link') ?? '')
}

async function userOfLink({ reads, now }: Provider, context: OidcContext): Promise<User | undefined> {
  const hash = linkHash(context)
  const link = hash === undefined ? undefined : await reads.findPasswordLink(hash)
  if (!link || link.usedAt !== undefined || link.expiresAt <= now()) return undefined
  const user = await reads.findUser(link.userId)
  return user?.disabledAt === undefined ? user : undefined
}

function linkPage(
  provider: Provider,
  context: OidcContext,
  {
    user,
    chosen = false,
    faults = {},
    status = 200,
  }: {
    readonly user?: User | undefined
    readonly chosen?: boolean | undefined
    readonly faults?: Faults | undefined
    readonly status?: number | undefined
  },
): Response {
  const page = (
    <LinkPasswordPage
      frame={frameOf(provider, context)}
      action={context.req.path}
      csrf={csrfToken(context, provider, undefined, ACTION)}
      typed={{ ...NOTHING_TYPED, faults }}
      chosen={chosen}
      email={user?.email}
    />
  )
  return renderPage(provider, context, page, { status })
}

const LinkPasswordPage: FC<{
  frame: Frame
  action: string
  csrf: string
  typed: Typed
  chosen: boolean
  email?: string | undefined
}> = ({ frame, action, csrf, typed, chosen, email }) => {
  const { texts, root } = frame
  const words = ownPasswordTexts(frame)
  return (
    <Page frame={frame} title={words.choosePassword} narrow>
      <div class="card">
        <h1>{words.choosePassword}</h1>
        {chosen && (
          <>
            <p role="status">{words.passwordChosen}</p>
            <p>
              <a href={`${root}/login`}>{texts.signIn}</a>
            </p>
          </>
        )}
        {!chosen && email === undefined && <Warning>{words.linkIsUseless}</Warning>}
        {!chosen && email !== undefined && (
          <form method="post" action={action}>
            <p>{words.choosePasswordFor(email)}</p>
            <Sealed csrf={csrf} />
            <input type="hidden" name="username" autocomplete="username" value={email} />
            <Entry
              label={words.newPassword}
              name="newPassword"
              type="password"
              autocomplete="new-password"
              typed={typed}
              required
            />
            <Submit>{texts.save}</Submit>
          </form>
        )}
      </div>
    </Page>
  )
}
