import type { FC } from 'hono/jsx'
import { ROLES } from '../../domain/accounts/roles.ts'
import type { User } from '../../domain/ports/storage.ts'
import type { LoginSession } from '../../domain/ports/storage-oidc.ts'
import { Action } from '../../web/action.tsx'
import { Choice, Entry, Sealed, Submit, type Typed } from '../../web/entries.tsx'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings } from '../../web/table.tsx'
import { administrationTexts } from '../administration-texts.ts'
import { FormFault } from '../id-tokens/id-tokens-page.tsx'

export const USER_FIELDS = ['email', 'name', 'role'] as const

export interface UserRow {
  readonly user: User
  /** No password was chosen yet. */
  readonly waits: boolean
  readonly secondFactor: boolean
}

interface Link {
  readonly email: string
  readonly address: string
}

const LinkOnce: FC<{ frame: Frame; link?: Link | undefined }> = ({ frame, link }) =>
  link === undefined ? null : (
    <div class="card" role="status">
      <p>{administrationTexts(frame).linkFor(link.email)}</p>
      <p>
        <code>{link.address}</code>
      </p>
    </div>
  )

export const UsersPage: FC<{
  frame: Frame
  users: readonly UserRow[]
  form: { readonly csrf: string; readonly once: string }
  typed: Typed
  link?: Link
}> = ({ frame, users, form, typed, link }) => {
  const words = administrationTexts(frame)
  const { texts, root } = frame
  return (
    <Page frame={frame} title={texts.users} wide>
      <h1>{texts.users}</h1>
      <LinkOnce frame={frame} {...(link && { link })} />
      <section class="card scrolls" aria-label={texts.users} tabindex={0}>
        <table>
          <Headings of={[words.user, words.role, words.status, words.since]} />
          <tbody>
            {users.map(({ user, waits, secondFactor }) => (
              <tr>
                <td class="name">
                  <a href={`${root}/users/${encodeURIComponent(user.id)}`}>{user.email}</a>{' '}
                  <span class="soft">
                    <bdi>{user.name}</bdi>
                  </span>
                </td>
                <td>{user.role}</td>
                <td>
                  {user.disabledAt !== undefined && <span class="chip bad">{words.disabled}</span>}{' '}
                  {waits && <span class="soft">{words.noPassword}</span>}{' '}
                  {secondFactor && <span class="soft">{words.withSecondFactor}</span>}
                </td>
                <td class="time">{shownTime(user.createdAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <form class="card" method="post" action={`${root}/users`}>
        <h2>{words.newUser}</h2>
        <FormFault typed={typed} />
        <Sealed {...form} />
        {/* Not type="email": browsers refuse umlauts before the @ there. */}
        <Entry label={texts.email} name="email" typed={typed} inputmode="email" required />
        <Entry label={texts.name} name="name" typed={typed} />
        <RoleChoice frame={frame} typed={typed} value="viewer" />
        <Submit>{words.invite}</Submit>
      </form>
    </Page>
  )
}

const RoleChoice: FC<{ frame: Frame; typed: Typed; value: string }> = ({ frame, typed, value }) => {
  const words = administrationTexts(frame)
  return (
    <Choice
      label={words.role}
      name="role"
      typed={typed}
      value={value}
      options={Object.fromEntries(ROLES.map((role) => [role, words.roles[role]]))}
    />
  )
}

export const UserPage: FC<{
  frame: Frame
  row: UserRow
  signIns: readonly LoginSession[]
  csrf: string
  typed: Typed
  link?: Link
}> = ({ frame, row: { user, waits, secondFactor }, signIns, csrf, typed, link }) => {
  const words = administrationTexts(frame)
  const { texts, root } = frame
  const path = `${root}/users/${encodeURIComponent(user.id)}`
  const enabled = user.disabledAt === undefined
  return (
    <Page frame={frame} title={user.email}>
      <h1>{user.email}</h1>
      <LinkOnce frame={frame} {...(link && { link })} />
      <FormFault typed={typed} />
      <form class="card" method="post" action={path}>
        <Sealed csrf={csrf} />
        <Entry label={texts.name} name="name" typed={typed} value={user.name ?? ''} />
        <RoleChoice frame={frame} typed={typed} value={user.role} />
        <Submit>{texts.save}</Submit>
      </form>
      <section class="card">
        {waits && <p class="soft">{words.noPassword}</p>}
        {secondFactor && <p class="soft">{words.withSecondFactor}</p>}
        <div class="actions">
          {enabled ? (
            <Action to={`${path}/disable`} csrf={csrf} style="danger" ask={words.disableUserAsk}>
              {texts.disable}
            </Action>
          ) : (
            <Action to={`${path}/enable`} csrf={csrf}>
              {texts.enable}
            </Action>
          )}
          <Action to={`${path}/link`} csrf={csrf}>
            {words.newLink}
          </Action>
          {secondFactor && (
            <Action to={`${path}/reset-second-factor`} csrf={csrf} ask={words.resetSecondFactorAsk}>
              {words.resetSecondFactor}
            </Action>
          )}
        </div>
      </section>
      <section class="card">
        <h2>{words.signedIn}</h2>
        {signIns.length === 0 && <p class="soft">{words.noSignIns}</p>}
        <ul class="choices">
          {signIns.map(({ ip, userAgent, lastSeenAt }) => (
            <li>
              {shownTime(lastSeenAt)} {ip} <span class="soft">{userAgent}</span>
            </li>
          ))}
        </ul>
        {signIns.length > 0 && (
          <Action to={`${path}/end-sign-ins`} csrf={csrf} ask={words.endSignInsAsk}>
            {words.endSignIn}
          </Action>
        )}
      </section>
      <p>
        <a href={`${root}/users`}>{texts.users}</a>
      </p>
    </Page>
  )
}
