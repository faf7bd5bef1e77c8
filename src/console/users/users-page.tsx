import type { LoginSession } from '../../domain/ports/storage-oidc-records.ts'
import type { User } from '../../domain/ports/storage-records.ts'
import type { FC } from 'hono/jsx'
import { ROLES } from '../../domain/accounts/roles.ts'
import { Action } from '../../web/action.tsx'
import type { Typed } from '../../web/entries.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { TableCard } from '../../web/parts/table.tsx'
import { Title } from '../../web/parts/title.tsx'
import { Ago } from '../../web/times.tsx'
import { type Field, Form } from '../kit/form.tsx'
import { userTexts } from '../kit/texts.ts'
import type { Visit } from '../visit.tsx'

export const ACTION = 'users'

export interface UserRow {
  readonly user: User
  readonly waits: boolean
  readonly secondFactor: boolean
}

type Link = { readonly email: string; readonly address: string } | undefined

const LinkOnce: FC<{ frame: Frame; link: Link }> = ({ frame, link }) =>
  link === undefined ? null : (
    <div class="card" role="status">
      <p>{userTexts(frame).linkFor(link.email)}</p>
      <p>
        <code>{link.address}</code>
      </p>
    </div>
  )

export const UsersPage: FC<{ visit: Visit; users: readonly UserRow[]; typed: Typed; link: Link }> = ({
  visit,
  users,
  typed,
  link,
}) => {
  const { frame } = visit
  const words = userTexts(frame)
  const { texts, root } = frame
  return (
    <Page frame={frame} title={texts.users} wide>
      <Title text={texts.users}>
        <Form
          visit={visit}
          action={ACTION}
          to={`${root}/users`}
          title={words.newUser}
          folded={typed.form.size > 0 ? 'open' : 'closed'}
          typed={typed}
          once
          fields={[
            // Not type="email": browsers refuse umlauts before the @ there.
            { name: 'email', label: texts.email, inputmode: 'email', required: true },
            { name: 'name', label: texts.name },
            roleOf(frame, 'viewer'),
          ]}
          submit={words.invite}
        />
      </Title>
      <LinkOnce frame={frame} link={link} />
      <TableCard<UserRow>
        label={texts.users}
        oneLine
        rows={users}
        columns={[
          {
            title: words.user,
            kind: 'name',
            whole: ({ user }) => user.email,
            cell: ({ user }) => (
              <>
                <a href={`${root}/users/${encodeURIComponent(user.id)}`}>{user.email}</a>{' '}
                <span class="soft">
                  <bdi>{user.name}</bdi>
                </span>
              </>
            ),
          },
          { title: words.role, width: 136, cell: ({ user }) => frame.texts.roles[user.role] },
          {
            title: words.status,
            wideOnly: true,
            cell: ({ user, waits, secondFactor }) => (
              <>
                {user.disabledAt !== undefined && <span class="chip over">{words.disabled}</span>}{' '}
                {waits && <span class="soft">{words.noPassword}</span>}{' '}
                {secondFactor && <span class="soft">{words.withSecondFactor}</span>}
              </>
            ),
          },
          {
            title: words.since,
            kind: 'time',
            width: 136,
            wideOnly: true,
            cell: ({ user }) => <Ago frame={frame} at={user.createdAt} />,
          },
        ]}
      />
    </Page>
  )
}

function roleOf(frame: Frame, value: string): Field {
  const words = userTexts(frame)
  const options = Object.fromEntries(ROLES.map((role) => [role, words.roles[role]]))
  return { name: 'role', label: words.role, value, options }
}

export const UserPage: FC<{
  visit: Visit
  row: UserRow
  signIns: readonly LoginSession[]
  typed: Typed
  link: Link
}> = ({ visit, row: { user, waits, secondFactor }, signIns, typed, link }) => {
  const { frame } = visit
  const words = userTexts(frame)
  const { texts, root } = frame
  const path = `${root}/users/${encodeURIComponent(user.id)}`
  const csrf = visit.csrf(ACTION)
  return (
    <Page frame={frame} title={user.email}>
      <Title
        text={user.email}
        up={[[`${root}/users`, texts.users]]}
        said={
          [waits && words.noPassword, secondFactor && words.withSecondFactor].filter(Boolean).join(', ') || undefined
        }
      >
        {secondFactor && (
          <Action
            to={`${path}/reset-second-factor`}
            csrf={csrf}
            ask={words.resetSecondFactorAsk}
            order={words.resetSecondFactorOf(user.email)}
          >
            {words.resetSecondFactor}
          </Action>
        )}
        <Action to={`${path}/link`} csrf={csrf}>
          {words.newLink}
        </Action>
        {user.disabledAt === undefined ? (
          <Action
            to={`${path}/disable`}
            csrf={csrf}
            style="danger"
            ask={words.disableUserAsk}
            order={words.disableOf(user.email)}
          >
            {texts.disable}
          </Action>
        ) : (
          <Action to={`${path}/enable`} csrf={csrf}>
            {texts.enable}
          </Action>
        )}
      </Title>
      <LinkOnce frame={frame} link={link} />
      <Form
        visit={visit}
        action={ACTION}
        to={path}
        typed={typed}
        fields={[{ name: 'name', label: texts.name, value: user.name }, roleOf(frame, user.role)]}
        submit={words.save}
      />
      <section class="card">
        <h2>{words.signedIn}</h2>
        {signIns.length === 0 && <p class="soft">{words.noSignIns}</p>}
        <ul class="choices">
          {signIns.map(({ ip, userAgent, lastSeenAt }) => (
            <li>
              <Ago frame={frame} at={lastSeenAt} /> {ip} <span class="soft">{userAgent}</span>
            </li>
          ))}
        </ul>
        {signIns.length > 0 && (
          <Action
            to={`${path}/end-sign-ins`}
            csrf={csrf}
            ask={words.endSignInsAsk}
            order={words.endSignInsOf(user.email)}
          >
            {words.endSignIn}
          </Action>
        )}
      </section>
    </Page>
  )
}
