/** Who may sign in, and as what: for administrators (ADMIN-A4, ADMIN-E1). */

import type { FC } from 'hono/jsx'
import {
  changeUser as change,
  createUser as create,
  sendLink,
  type UserWithLink,
} from '../../application/users/users.ts'
import { hasNoPassword, passwordLinkAddress } from '../../domain/accounts/password-link.ts'
import { isRole, ROLES } from '../../domain/accounts/roles.ts'
import type { Refusal, User } from '../../domain/ports/storage-records.ts'
import { noSuch, refuseFault } from '../../domain/refuse.ts'
import { Action, type Frame, NOTHING_TYPED, Page, type Typed } from '../../web/entries.tsx'
import { TableCard, Title } from '../../web/parts/table.tsx'
import { Ago } from '../../web/times.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { type Field, Form, filledIn, typedWith } from '../kit/form.tsx'
import { ago, Chip, wordsIn } from '../kit/parts.tsx'
import { again, ordering, type Shown, showing, type Visit } from '../visit.tsx'

const ACTION = 'users'
const USER_FIELDS = ['email', 'name', 'role'] as const
const NO_ROLE = refuseFault('/role', 'invalid_value', `must be one of ${ROLES.join(', ')}`)

export const showUsers: ConsolePage = showing('administrator', (visit) => usersPage(visit))

/** Made without a password: the page that answers shows the link to choose one. */
export const createUser: ConsolePage = ordering('administrator', ACTION, async (visit, form) => {
  const { email = '', name, role } = filledIn(form, USER_FIELDS)
  const known = role === undefined || isRole(role)
  const requested = { accountId: visit.accountId, email, name, role: known ? role : undefined }
  const made = known ? await create(visit.site, requested) : NO_ROLE
  if (!('refused' in made)) return { page: await usersPage(visit, { made }), status: 201 }
  return again(await usersPage(visit, { typed: typedWith(form, made) }), made)
})

export const showUser: ConsolePage = showing('administrator', async (visit) => {
  const user = await userOf(visit)
  return user && userPage(visit, user)
})

export const changeUser: ConsolePage = ordering('administrator', ACTION, async (visit, form) => {
  const user = await userOf(visit)
  if (!user) return noSuch('user')
  const { name, role } = filledIn(form, USER_FIELDS)
  if (role !== undefined && !isRole(role)) return followed(visit, user, form, NO_ROLE)
  const requested = { name: name ?? null, role }
  return followed(visit, user, form, await change(visit.site, visit.accountId, user.id, requested))
})

export const actOnUser: ConsolePage = ordering('administrator', ACTION, async (visit, form) => {
  const { site, accountId, context } = visit
  const user = await userOf(visit)
  if (!user) return noSuch('user')
  const action = context.req.param('action')
  if (action === 'disable' || action === 'enable') {
    return followed(visit, user, form, await change(site, accountId, user.id, { disabled: action === 'disable' }))
  }
  if (action === 'link') {
    const made = await sendLink(site, accountId, user.id)
    return 'refused' in made ? made : { page: await userPage(visit, user, { made }), status: 201 }
  }
  if (action === 'reset-second-factor') {
    await site.writes.deleteSecondFactor(user.id)
    return pathOf(user)
  }
  if (action === 'end-sign-ins') {
    // No login session has an empty digest, so none is kept.
    await site.writes.endOtherLoginSessions(user.id, '', site.now())
    return pathOf(user)
  }
  return noSuch('page')
})

async function followed(
  visit: Visit,
  user: User,
  form: URLSearchParams,
  done: User | Refusal,
): Promise<string | Shown> {
  if (!('refused' in done)) return pathOf(user)
  return again(await userPage(visit, user, { typed: typedWith(form, done) }), done)
}

function pathOf({ id }: User): string {
  return `/users/${encodeURIComponent(id)}`
}

async function userOf({ site, context, accountId }: Visit): Promise<User | undefined> {
  const user = await site.reads.findUser(context.req.param('userId') ?? '')
  return user?.accountId === accountId ? user : undefined
}

interface Result {
  readonly typed?: Typed
  readonly made?: UserWithLink
}

async function usersPage(visit: Visit, { typed = NOTHING_TYPED, made }: Result = {}) {
  const { frame, site, accountId } = visit
  const { texts, root } = frame
  const words = wordsIn('users', frame)
  const users = await site.reads.listUsers(accountId)
  const rows = await Promise.all(users.map((user) => rowOf(visit, user)))
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
      <LinkOnce visit={visit} made={made} />
      <TableCard<UserRow>
        label={texts.users}
        oneLine
        rows={rows}
        columns={[
          {
            title: words.user,
            kind: 'name',
            whole: ({ user }) => user.email,
            cell: ({ user }) => (
              <>
                <a href={root + pathOf(user)}>{user.email}</a>{' '}
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
                {user.disabledAt !== undefined && <Chip tone="over" text={words.disabled} />}{' '}
                {waits && <span class="soft">{words.noPassword}</span>}{' '}
                {secondFactor && <span class="soft">{words.withSecondFactor}</span>}
              </>
            ),
          },
          ago(frame, words.since, ({ user }) => user.createdAt, { width: 136 }),
        ]}
      />
    </Page>
  )
}

function roleOf(frame: Frame, value: string): Field {
  const words = wordsIn('users', frame)
  const options = Object.fromEntries(ROLES.map((role) => [role, words.roles[role]]))
  return { name: 'role', label: words.role, value, options }
}

async function userPage(visit: Visit, user: User, { typed = NOTHING_TYPED, made }: Result = {}) {
  const { frame, site } = visit
  const { texts, root } = frame
  const words = wordsIn('users', frame)
  const { waits, secondFactor } = await rowOf(visit, user)
  const signIns = await site.reads.listLoginSessions(user.id)
  const path = root + pathOf(user)
  const csrf = visit.csrf(ACTION)
  return (
    <Page frame={frame} title={user.email}>
      <Title
        text={user.email}
        said={
          [waits && words.noPassword, secondFactor && words.withSecondFactor].filter(Boolean).join(', ') || undefined
        }
        up={[[`${root}/users`, texts.users]]}
      >
        {secondFactor && (
          <Action
            to={`${path}/reset-second-factor`}
            csrf={csrf}
            ask={words.resetSecondFactorAsk}
            order={words.resetSecondFactorOf(user.email)}
            text={words.resetSecondFactor}
          />
        )}
        <Action to={`${path}/link`} csrf={csrf} text={words.newLink} />
        {user.disabledAt === undefined ? (
          <Action
            to={`${path}/disable`}
            csrf={csrf}
            style="danger"
            ask={words.disableUserAsk}
            order={words.disableOf(user.email)}
            text={texts.disable}
          />
        ) : (
          <Action to={`${path}/enable`} csrf={csrf} text={texts.enable} />
        )}
      </Title>
      <LinkOnce visit={visit} made={made} />
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
            text={words.endSignIn}
          />
        )}
      </section>
    </Page>
  )
}

interface UserRow {
  readonly user: User
  readonly waits: boolean
  readonly secondFactor: boolean
}

async function rowOf({ site }: Visit, user: User): Promise<UserRow> {
  const factor = await site.reads.findSecondFactor(user.id)
  return { user, waits: hasNoPassword(user), secondFactor: factor?.confirmedAt !== undefined }
}

const LinkOnce: FC<{ visit: Visit; made: UserWithLink | undefined }> = ({ visit: { frame, site }, made }) =>
  made?.link === undefined ? null : (
    <div class="card" role="status">
      <p>{wordsIn('users', frame).linkFor(made.user.email)}</p>
      <p>
        <code>{passwordLinkAddress(site.config.dashboardUrl, made.link)}</code>
      </p>
    </div>
  )
