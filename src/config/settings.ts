/** The table of settings (SERVER-A1). Defaults see earlier rows; bounds of timers stay below Node's 24.8 days. */

import { SECRET_PREFIXES } from '../domain/accounts/credentials.ts'
import { isRole } from '../domain/accounts/roles.ts'
import type { Role } from '../domain/ports/storage-records.ts'
import { byMode, flag, named, type Setting, setting } from './setting.ts'
import {
  cidr,
  headerName,
  type Kind,
  listOf,
  oneOf,
  secretText,
  secureAddress,
  text,
  textKind,
  webAddress,
  wholeNumber,
} from './setting-kinds.ts'
import { authSettings } from './settings-auth.ts'
import { ocppSettings } from './settings-ocpp.ts'
import { serverSettings } from './settings-server.ts'
import { mailSender, smtpUrl } from './smtp-address.ts'

/** As the provider writes it: some issuers end in a slash, and the two are compared byte for byte. */
const issuer = textKind(webAddress.expected, (value) => (webAddress.read(value) === undefined ? undefined : value))

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
export const ssoSettings = named({
  ssoIssuer: setting(issuer, {
    description:
      'The OpenID provider by which people sign in to the dashboard. Its configuration is read from /.well-known/openid-configuration below this address.',
    example: 'https://login.example.com/realms/company',
    defaultNote: 'none: people sign in with passwords only',
  }),
  ssoClientId: setting(text, {
    description: 'The client that this server is for the provider.',
    example: 'pilotwire',
  }),
  ssoClientSecret: setting(secretText(1, 1024), {
    secret: true,
    description:
      'Its secret; best from a file, by PILOTWIRE_SSO_CLIENT_SECRET_FILE. Without one it is a public client.',
    example: 'what the provider showed when the client was made',
  }),
  ssoRoleClaim: setting(text, {
    description:
      'The claim with the roles of a person: a text or a list of texts, in the ID token or else from userinfo. Dots lead into objects where no claim has the whole name.',
    example: 'realm_access.roles',
    default: () => 'roles',
  }),
  ssoRoles: setting(listOf(roleMapping, 'name=role, a role being one of administrator, operator, viewer, member'), {
    description:
      'What each role of the provider is here. Of several the one that may do most counts; who has none is refused. A comma in a name is written %2C.',
    example: 'charging-admins=administrator,charging-desk=operator,staff=viewer',
  }),
  passwordSignIn: setting(oneOf('on', 'break-glass'), {
    description:
      'break-glass: passwords are only for users marked by pilotwire user set-break-glass, and for the first administrator while no user is marked.',
    example: 'break-glass',
    default: () => 'on',
  }),
})

const MAX_DELAY_SECONDS = 14 * 86_400

/** When deliveries are tried again (seconds), and which private addresses they may reach. */
const webhookSettings = named({
  webhookFiguresIntervalSeconds: setting(wholeNumber(0, 86_400, 'seconds'), {
    description:
      'At most one event per session and this interval tells changed energy or cost figures; 0 = every change. Changes of state are always sent at once.',
    default: () => 30,
  }),
  webhookScheduleSeconds: setting(listOf(wholeNumber(0, MAX_DELAY_SECONDS), 'delays in seconds'), {
    description: 'Delays after each failed attempt, also of a push; then the delivery has failed. none: one attempt.',
    example: '1,2,4',
    // HOOK-R4: 12 attempts over 70 h 42 m 35 s, so a receiver that dies on Friday evening is met on Monday.
    default: () => [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400],
  }),
  webhookAllowPrivate: setting(listOf(cidr, 'address blocks such as 10.0.0.0/8'), {
    description: 'Non-public addresses that webhooks and calls to roaming partners may reach, also by http.',
    example: '10.1.2.0/24',
    default: byMode(['127.0.0.0/8', '::1/128'], []),
  }),
})

/** Who signs certificates of charge points, and whose certificates are trusted. */
const certificateSettings = named({
  certificateProvider: setting(oneOf('internal', 'http', 'manual'), {
    description:
      'Who signs the certificate requests of charge points. internal: an authority of this installation; http: a service of yours, at PILOTWIRE_CERTIFICATE_HOOK_URL; manual: an operator, through PUT /2/certificate-requests/{id}.',
    example: 'http',
    default: () => 'internal',
  }),
  certificateHookUrl: setting(webAddress, {
    description: 'Address that is sent each certificate request. Needs PILOTWIRE_CERTIFICATE_HOOK_SECRET.',
    example: 'https://pki.example.com/sign',
  }),
  certificateHookSecret: setting(secretText(16, 1024), {
    description: 'Signs these requests as the secret of a webhook signs its deliveries.',
    example: `${SECRET_PREFIXES.webhookSecret}AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8`,
    secret: true,
  }),
  organization: setting(text, {
    description:
      'Organization (O) in the certificates of charge points: the one that is written, and that must stand in those that are shown. The name of the account unless given.',
    example: 'Example Charging Ltd',
  }),
  clientCaFile: setting(text, {
    description: 'Further authorities (PEM) whose certificates prove a charge point of security profile 3.',
    example: '/etc/pilotwire/client-ca.pem',
  }),
  clientCertHeader: setting(headerName, {
    description:
      'Header in which a trusted proxy hands on the client certificate, as URL-encoded PEM (nginx: $ssl_client_escaped_cert). It must overwrite what the client sent under that name.',
    default: () => 'x-ssl-client-cert',
  }),
})

/** Alerts and the mail that tells of them (ALERT-M2). */
const alertSettings = named({
  smtpUrl: setting(smtpUrl, {
    secret: true,
    description:
      'The server that takes our mail. Without a port: 587, or 465 for smtps. smtp changes to TLS (STARTTLS) and is refused where the server offers none, but on this machine.',
    example: 'smtp://user:password@mail.example.com:587',
    defaultNote: 'none: mail about alerts waits until there is one, for a week at most',
  }),
  smtpAllowPlain: flag(
    'Allows a mail server elsewhere that offers no TLS. Mail and the password for the server then cross the network unencrypted.',
  ),
  mailFrom: setting(mailSender, {
    description: 'The sender of our mail.',
    example: 'Pilotwire <alerts@example.com>',
    default: ({ baseUrl = '' }) => `pilotwire@${mailDomain(baseUrl)}`,
    defaultNote: '`pilotwire@` and the host of the base URL',
  }),
  mailLanguage: setting(oneOf('en', 'de'), {
    description: 'The language of our mail.',
    example: 'de',
    default: () => 'en',
  }),
  alertIntervalSeconds: setting(wholeNumber(1, 3600, 'seconds'), {
    description: 'How often is looked at what alert rules watch.',
    example: '60',
    default: () => 30,
  }),
})

/** What the public and authorities may read of published locations (AFIR-A1), and are sent (AFIR-A2). */
const afirSettings = named({
  afir: setting(oneOf('off', 'public', 'token'), {
    description:
      'Who may read the published locations: the feed for national access points at /afir, and open OCPI at /ocpi/open. token: callers that send PILOTWIRE_AFIR_TOKEN as a bearer token.',
    example: 'public',
    default: () => 'off',
  }),
  afirToken: setting(secretText(16, 1024), {
    secret: true,
    description: 'The token for PILOTWIRE_AFIR=token.',
    example: 'the output of: openssl rand -hex 32',
  }),
  afirPushUrl: setting(secureAddress, {
    description:
      'Address of a national access point that is sent the status of published locations within seconds of a change. It must be public, or allowed by PILOTWIRE_WEBHOOK_ALLOW_PRIVATE.',
    example: 'https://access-point.example.com/publications/123',
  }),
  afirPushToken: setting(secretText(1, 4096), {
    secret: true,
    description: 'Sent to it as a bearer token.',
    example: 'what the access point gave you',
  }),
  afirPushCertFile: setting(text, {
    description: 'Certificate with its chain (PEM) with which we are known to it. Needs PILOTWIRE_AFIR_PUSH_KEY_FILE.',
    example: '/etc/pilotwire/access-point.crt',
  }),
  afirPushKeyFile: setting(text, {
    description: 'Private key (PEM) of that certificate. A renewed pair is used without a restart.',
    example: '/etc/pilotwire/access-point.key',
  }),
})

function mailDomain(baseUrl: string): string {
  const hostname = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : 'localhost'
  return hostname.startsWith('[') ? 'localhost' : hostname
}

/** Every setting by its member of `Settings`, in order. @example settingsTable.port.name === 'PILOTWIRE_PORT' */
export const settingsTable = {
  ...serverSettings,
  ...ocppSettings,
  ...certificateSettings,
  ...authSettings,
  ...ssoSettings,
  ...webhookSettings,
  ...alertSettings,
  ...afirSettings,
}

/** Headings of the generated documentation. */
export const settingGroups: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'Server and data': serverSettings,
  'Charge points': ocppSettings,
  'Certificates of charge points': certificateSettings,
  'Sign-in, tokens and API': authSettings,
  "Sign-in by your company's provider": ssoSettings,
  Webhooks: webhookSettings,
  'Alerts and mail': alertSettings,
  'Public data': afirSettings,
}

/** A row whose value type is forgotten: what loops over the table need. */
export type AnySetting = Setting<unknown>

/** The rows in table order. */
export const settingRows = Object.entries(settingsTable) as readonly [keyof typeof settingsTable, AnySetting][]

/** Variables that our own clients read; they belong to no server setting and are not warned about. */
export const clientVariables: readonly string[] = [
  'PILOTWIRE_API_CREDENTIAL',
  'PILOTWIRE_WEBHOOK_SECRET',
  'PILOTWIRE_OCPI_TOKEN',
]
