/** Mail by SMTP. Addresses and texts are given as values, so that nothing in them is read as a header (ALERT-M4). */
import { createTransport } from 'nodemailer'
import type { MailText } from './mail-text.ts'

export interface Mail extends MailText {
  readonly to: string
  /** The same when it is sent again: a mailbox can tell that it has it. */
  readonly messageId: string
}

export interface Mailer {
  /** Resolves when the server has taken it. Rejects with an error whose `code` says what failed. */
  send(mail: Mail): Promise<void>
}

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  readonly user?: string | undefined
  readonly password?: string | undefined
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

export function createMailer({ host, port, secure, user, password }: SmtpServer, from: string): Mailer {
  const transport = createTransport({
    ...{ host, port, secure, ...TIMEOUTS },
    // A relay on this machine has a certificate of its own making; nobody stands between.
    tls: { rejectUnauthorized: !isLoopback(host) },
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  return {
    async send({ to, subject, text, messageId }) {
      await transport.sendMail({
        ...{ from: address(from), to: { name: '', address: to }, subject, text, messageId },
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
  }
}

/** `doctor` asks whether it can be reached and lets us in. */
export async function verifySmtp({ host, port, secure, user, password }: SmtpServer): Promise<void> {
  await createTransport({
    ...{ host, port, secure, ...TIMEOUTS, connectionTimeout: 3000, greetingTimeout: 3000 },
    tls: { rejectUnauthorized: !isLoopback(host) },
    ...(user !== undefined && password !== undefined && { auth: { user, pass: password } }),
  }).verify()
}

/** Of `Name <address>` or the address alone. */
export function address(from: string): { readonly name: string; readonly address: string } {
  const [, name = '', inner = from] = /^([^<>]*)<([^<>]+)>$/.exec(from) ?? []
  return { name: name.trimEnd(), address: inner }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}
