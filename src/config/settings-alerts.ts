import { setting } from './setting.ts'
import { oneOf, wholeNumber, yesOrNo } from './setting-kinds.ts'
import { mailSender, smtpUrl } from './smtp-address.ts'

/** Alerts and the mail that tells of them (ALERT-M2). */
export const alertSettings = {
  smtpUrl: setting(smtpUrl, {
    name: 'PILOTWIRE_SMTP_URL',
    secret: true,
    description:
      'The server that takes our mail. Without a port: 587, or 465 for smtps. smtp changes to TLS (STARTTLS) and is refused where the server offers none, but on this machine.',
    example: 'smtp://user:password@mail.example.com:587',
    defaultNote: 'none: mail about alerts waits until there is one, for a week at most',
  }),
  smtpAllowPlain: setting(yesOrNo, {
    name: 'PILOTWIRE_SMTP_ALLOW_PLAIN',
    description:
      'Allows a mail server elsewhere that offers no TLS. Mail and the password for the server then cross the network unencrypted.',
    example: 'true',
    default: () => false,
  }),
  mailFrom: setting(mailSender, {
    name: 'PILOTWIRE_MAIL_FROM',
    description: 'The sender of our mail.',
    example: 'Pilotwire <alerts@example.com>',
    default: ({ baseUrl = '' }) => `pilotwire@${mailDomain(baseUrl)}`,
    defaultNote: '`pilotwire@` and the host of the base URL',
  }),
  mailLanguage: setting(oneOf('en', 'de'), {
    name: 'PILOTWIRE_MAIL_LANGUAGE',
    description: 'The language of our mail.',
    example: 'de',
    default: () => 'en',
  }),
  alertIntervalSeconds: setting(wholeNumber(1, 3600, 'seconds'), {
    name: 'PILOTWIRE_ALERT_INTERVAL',
    description: 'How often is looked at what alert rules watch.',
    example: '60',
    default: () => 30,
  }),
}

function mailDomain(baseUrl: string): string {
  const hostname = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : 'localhost'
  return hostname.startsWith('[') ? 'localhost' : hostname
}
