/** Who may sign in, as what, and what everybody did: for administrators (ADMIN-A4, ADMIN-C3, ADMIN-E1). */

import type { User } from '../../domain/ports/storage-records.ts'
import {
  changeUser as change,
  createUser as create,
  sendLink,
  type UserWithLink,
} from '../../application/users/users.ts'
import { hasNoPassword, passwordLinkAddress } from '../../domain/accounts/password-link.ts'
import { isRole, ROLES } from '../../domain/accounts/roles.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noSuch, refuseFault } from '../../domain/refuse.ts'
import { NOTHING_TYPED, type Typed } from '../../web/entries.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { filledIn, typedWith } from '../kit/typed.ts'
import { again, ordering, type Shown, showing, type Visit } from '../visit.tsx'
import { ACTION, UserPage, type UserRow, UsersPage } from './users-page.tsx'

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
    const disabled = action === 'disable'
    return followed(visit, user, form, await change(site, accountId, user.id, { disabled }))
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
  const users = await visit.site.reads.listUsers(visit.accountId)
  const rows = await Promise.all(users.map((user) => rowOf(visit, user)))
  return <UsersPage visit={visit} users={rows} typed={typed} link={linkOf(visit, made)} />
}

async function userPage(visit: Visit, user: User, { typed = NOTHING_TYPED, made }: Result = {}) {
  const row = await rowOf(visit, user)
  const signIns = await visit.site.reads.listLoginSessions(user.id)
  return <UserPage visit={visit} row={row} signIns={signIns} typed={typed} link={linkOf(visit, made)} />
}

async function rowOf({ site }: Visit, user: User): Promise<UserRow> {
  const factor = await site.reads.findSecondFactor(user.id)
  return { user, waits: hasNoPassword(user), secondFactor: factor?.confirmedAt !== undefined }
}

function linkOf({ site }: Visit, made: UserWithLink | undefined) {
  if (made?.link === undefined) return undefined
  return { email: made.user.email, address: passwordLinkAddress(site.config.dashboardUrl, made.link) }
}
