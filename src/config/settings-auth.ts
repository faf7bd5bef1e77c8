import { byMode, flag, named, setting } from './setting.ts'
import { email, oneOf, secretText, wholeNumber } from './setting-kinds.ts'

const TEN_YEARS_SECONDS = 10 * 365 * 86_400

/** 200 a second: 10,000 charge points asked for once a minute, and a small part of what one process answers. */
const RATE_API = 12_000

/** Who may sign in, how long tokens are valid (seconds), and how often the API may be asked (requests a minute). */
export const authSettings = named({
  adminEmail: setting(email, {
    description: 'Login of the administrator that the first start creates.',
    example: 'ops@example.com',
    default: () => 'admin@localhost',
  }),
  adminPassword: setting(secretText(8, 1024), {
    secret: true,
    description: 'Password of that administrator.',
    example: 'a long sentence known only to you',
    defaultNote: 'generated on the first start and shown once',
  }),
  registration: setting(oneOf('off', 'open', 'token'), {
    description:
      'Dynamic client registration (RFC 7591). open: any client; token: clients that present PILOTWIRE_REGISTRATION_TOKEN.',
    example: 'token',
    default: byMode('open', 'off'),
  }),
  registrationToken: setting(secretText(16, 1024), {
    secret: true,
    description: 'Initial access token for PILOTWIRE_REGISTRATION=token.',
    example: 'the output of: openssl rand -hex 24',
  }),
  registrationRate: setting(wholeNumber(0, 1_000_000, 'registrations per hour'), {
    description: 'Dynamic client registrations per hour and IP address; 0 = no limit.',
    default: () => 10,
  }),
  oauthBasic: flag('Accepts client_secret_basic beside client_secret_post, for applications that know nothing else.'),
  oauthConfirmNative: flag(
    'Asks the user each time an application on a loopback address or private scheme wants access, although an active grant covers it: any program on the device could pose as that application (RFC 8252 §8.6).',
  ),
  oauthRevokeEndsGrant: flag('An application that revokes its refresh token gives up its grant as well.'),
  accessTokenTtlSeconds: setting(wholeNumber(1, TEN_YEARS_SECONDS, 'seconds'), {
    description: 'Lifetime of OAuth access tokens.',
    default: () => 3600,
  }),
  refreshTokenTtlSeconds: setting(wholeNumber(1, TEN_YEARS_SECONDS, 'seconds'), {
    description: 'Lifetime of a refresh token; each use gives a new one.',
    default: () => 30 * 86_400,
  }),
  codeTtlSeconds: setting(wholeNumber(1, 600, 'seconds'), {
    description: 'Lifetime of an authorization code.',
    default: () => 60,
  }),
  idTokenTtlSeconds: setting(wholeNumber(1, TEN_YEARS_SECONDS, 'seconds'), {
    description: 'Lifetime of ID tokens.',
    default: () => 3600,
  }),
  interactionTtlSeconds: setting(wholeNumber(1, 86_400, 'seconds'), {
    description: 'How long a user may take to sign in and approve an application.',
    default: () => 1800,
  }),
  refreshGraceSeconds: setting(wholeNumber(0, 60, 'seconds'), {
    description:
      'Time in which a spent refresh token may be repeated and gets the same answer, for clients that lost the first. 0: a repetition ends the token family.',
    example: '10',
    default: () => 0,
  }),
  rateV1: setting(wholeNumber(0, 1_000_000, 'requests per minute'), {
    description: 'Command searches v1 per account; 0 = no limit.',
    default: () => 60,
  }),
  rateV2: setting(wholeNumber(0, 1_000_000, 'requests per minute'), {
    description: 'Command searches v2 per account; 0 = no limit.',
    default: () => 300,
  }),
  rateApi: setting(wholeNumber(0, 1_000_000, 'requests per minute'), {
    description:
      'All other API requests per account, and per address of callers without a valid credential; 0 = no limit.',
    example: '3000',
    default: () => RATE_API,
  }),
})
