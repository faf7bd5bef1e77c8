import { isRole } from '../domain/accounts/roles.ts'
import type { Role } from '../domain/ports/storage.ts'
import { setting } from './setting.ts'
import { type Kind, listOf, oneOf, secretText, text, webAddress } from './setting-kinds.ts'

/** As the provider writes it: some issuers end in a slash, and the two are compared byte for byte. */
const issuer: Kind<string> = {
  read: (value) => (webAddress.read(value) === undefined ? undefined : value),
  show: (value) => value,
  expected: webAddress.expected,
}

/** The name may hold an equals sign, as those of directories do. */
const roleMapping: Kind<{ readonly name: string; readonly role: Role }> = {
  read(value) {
    const at = value.lastIndexOf('=')
    const role = value.slice(at + 1)
    try {
      const name = decodeURIComponent(value.slice(0, Math.max(at, 0)))
      return name !== '' && isRole(role) ? { name, role } : undefined
    } catch {
      return undefined
    }
  },
  show: ({ name, role }) => `${encodeURIComponent(name)}=${role}`,
  expected: 'name=role',
}

/** Sign-in by the company's OpenID provider (ADMIN-K1). */
export const ssoSettings = {
  ssoIssuer: setting(issuer, {
    name: 'PILOTWIRE_SSO_ISSUER',
    description:
      'The OpenID provider by which people sign in to the dashboard. Its configuration is read from /.well-known/openid-configuration below this address.',
    example: 'https://login.example.com/realms/company',
    defaultNote: 'none: people sign in with passwords only',
  }),
  ssoClientId: setting(text, {
    name: 'PILOTWIRE_SSO_CLIENT_ID',
    description: 'The client that this server is for the provider.',
    example: 'pilotwire',
  }),
  ssoClientSecret: setting(secretText(1, 1024), {
    name: 'PILOTWIRE_SSO_CLIENT_SECRET',
    secret: true,
    description:
      'Its secret; best from a file, by PILOTWIRE_SSO_CLIENT_SECRET_FILE. Without one it is a public client.',
    example: 'what the provider showed when the client was made',
  }),
  ssoRoleClaim: setting(text, {
    name: 'PILOTWIRE_SSO_ROLE_CLAIM',
    description:
      'The claim with the roles of a person: a text or a list of texts, in the ID token or else from userinfo. Dots lead into objects where no claim has the whole name.',
    example: 'realm_access.roles',
    default: () => 'roles',
  }),
  ssoRoles: setting(listOf(roleMapping, 'name=role, a role being one of administrator, operator, viewer, member'), {
    name: 'PILOTWIRE_SSO_ROLES',
    description:
      'What each role of the provider is here. Of several the one that may do most counts; who has none is refused. A comma in a name is written %2C.',
    example: 'charging-admins=administrator,charging-desk=operator,staff=viewer',
  }),
  passwordSignIn: setting(oneOf('on', 'break-glass'), {
    name: 'PILOTWIRE_PASSWORD_SIGN_IN',
    description:
      'break-glass: passwords are only for users marked by pilotwire user set-break-glass, and for the first administrator while no user is marked.',
    example: 'break-glass',
    default: () => 'on',
  }),
}
