/** Mail by SMTP. Addresses and texts are given as values, so that nothing in them is read as a header (ALERT-M4). */
import { createTransport } from 'nodemailer'
import type { SmtpServer } from '../../domain/alerts/smtp-server.ts'
import type { MailText } from './mail-text.ts'

export interface Mail extends MailText {
  readonly to: string
  /** The same when it is sent again: a mailbox can tell that it has it. */
  readonly messageId: string
  readonly attachments?:
    | readonly { readonly filename: string; readonly contentType: string; readonly content: string | Buffer }[]
    | undefined
}

export interface Mailer {
  send(mail: Mail): Promise<void>
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

/** @param allowPlain ALERT-M6: mail and password may cross a network unencrypted */
export function createMailer(server: SmtpServer, allowPlain: boolean, from: string): Mailer {
  const transport = createTransport({
    ...connectionTo(server, allowPlain),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, messageId, attachments = [] }) {
      await transport.sendMail({
        from: address(from),
        to: { name: '', address: to },
        subject,
        text,
        messageId,
        headers: { 'Auto-Submitted': 'auto-generated' },
        attachments: [...attachments],
      })
    },
  }
}

export async function verifySmtp(server: SmtpServer, allowPlain: boolean): Promise<void> {
  await createTransport({
    ...connectionTo(server, allowPlain),
    connectionTimeout: 3000,
    greetingTimeout: 3000,
  }).verify()
}

/** ALERT-M6: with TLS only where it is offered, an attacker who removes the offer reads the password. */
function connectionTo({ host, port, secure, user, password, isLocal }: SmtpServer, allowPlain: boolean) {
  return {
    host,
    port,
    secure,
    ...TIMEOUTS,
    requireTLS: !isLocal && !allowPlain,
    tls: { rejectUnauthorized: !isLocal },
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
  }
}

export function address(from: string): { readonly name: string; readonly address: string } {
  const [, name = '', inner = from] = /^([^<>]*)<([^<>]+)>$/.exec(from) ?? []
  return { name: name.trimEnd(), address: inner }
}
