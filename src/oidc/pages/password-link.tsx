/** The page behind an invitation: the holder of the link chooses a password, once (ADMIN-E1). */

import { audited } from '../../application/audit/auditing.ts'
import { checkPassword, hashPassword, LaneFull } from '../../domain/accounts/password.ts'
import { passwordLinkHash } from '../../domain/accounts/password-link.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import { Entry, type Faults, NOTHING_TYPED, Page, Sealed, Submit, Warning } from '../../web/entries.tsx'
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
    status,
  }: { readonly user?: User; readonly chosen?: boolean; readonly faults?: Faults; readonly status?: number },
): Response {
  const frame = frameOf(provider, context)
  const { texts, root } = frame
  const words = ownPasswordTexts(frame)
  const page = (
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
        {!chosen && !user && <Warning>{words.linkIsUseless}</Warning>}
        {!chosen && user && (
          <form method="post" action={context.req.path}>
            <p>{words.choosePasswordFor(user.email)}</p>
            <Sealed csrf={csrfToken(context, provider, undefined, ACTION)} />
            <input type="hidden" name="username" autocomplete="username" value={user.email} />
            <Entry
              label={words.newPassword}
              name="newPassword"
              type="password"
              autocomplete="new-password"
              typed={{ ...NOTHING_TYPED, faults }}
              required
            />
            <Submit>{texts.save}</Submit>
          </form>
        )}
      </div>
    </Page>
  )
  return renderPage(provider, context, page, { status })
}
