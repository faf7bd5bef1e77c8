/** Who the person is here, with the role of this sign-in (ADMIN-K2 to ADMIN-K4). */
import { audited } from '../../application/audit/auditing.ts'
import { changeUser } from '../../application/users/users.ts'
import { NO_PASSWORD, UNPROVEN_ADDRESS } from '../../domain/accounts/password-link.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Role, User } from '../../domain/ports/storage.ts'
import type { Provider } from '../provider.ts'
import { type Claims, claimAt, personOf, roleOf } from './person.ts'

export type Refusal = 'noRole' | 'noEmail' | 'taken' | 'disabled' | 'lastAdministrator'

type Admitted = { readonly user: User } | { readonly refused: Refusal; readonly user?: User | undefined }

/** @param claims of the ID token, then of userinfo: what the first one says counts */
export async function admit(
  provider: Provider,
  issuer: string,
  claims: readonly [Claims, ...Claims[]],
  ip: string,
): Promise<Admitted> {
  const { ssoRoleClaim, ssoRoles = [] } = provider.config
  const [idToken] = claims
  const ofRoles = claims.find((one) => claimAt(one, ssoRoleClaim) !== undefined)
  const role = ofRoles && roleOf(ofRoles, ssoRoleClaim, ssoRoles)
  const identity = { issuer, subject: String(idToken.sub) }
  if (!role) return { refused: 'noRole', user: await provider.writes.endAccess(identity, provider.now(), ip) }
  const person = personOf(claims.find(({ email }) => email !== undefined) ?? idToken)
  const [account] = await provider.reads.listAccounts()
  if (!person || !account) return { refused: 'noEmail' }
  const { email, name, isEmailVerified } = person
  const id = newUuid(provider.now(), provider.random)
  const named = { id, accountId: account.id, email, name }
  const passwordHash = isEmailVerified ? NO_PASSWORD : UNPROVEN_ADDRESS
  const user: User = { ...named, role, passwordHash, createdAt: provider.now() }
  const claimed = await provider.writes.claimIdentity({ ...identity, user, isEmailVerified, ip })
  if (claimed.kind === 'taken') return { refused: 'taken' }
  if (claimed.user.disabledAt !== undefined) return { refused: 'disabled', user: claimed.user }
  return withRole(provider, claimed.user, role, ip)
}

/** Another role than last time ends what was signed in with that one (OIDC-L6). */
async function withRole(provider: Provider, user: User, role: Role, ip: string): Promise<Admitted> {
  if (user.role === role) return { user }
  const { id: userId, accountId, email: actor } = user
  const subject = `${actor}: ${user.role} → ${role}`
  const event = { at: provider.now(), kind: 'role_changed', accountId, userId, actor, role: user.role, subject, ip }
  const changed = await audited(
    provider,
    event,
    () => changeUser(provider, accountId, userId, { role }),
    (done) => ({ outcome: 'refused' in done ? 'refused' : 'done' }),
  )
  return 'refused' in changed ? { refused: 'lastAdministrator', user } : { user: changed }
}
