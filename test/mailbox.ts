/** A mail server that takes whatever comes, until it is told to refuse. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** Who may sign in; whoever does not is served as well. */
export const MAIL_LOGIN = { user: 'me', password: 'p@ss' }

export interface Mailbox {
  /** As the setting has it: `smtp://…`. */
  readonly url: string
  readonly port: number
  /** What came, each mail as it stood on the wire. */
  readonly mails: readonly string[]
  /** To whom, in the same order. */
  readonly recipients: readonly (readonly string[])[]
  /** Every mail is answered with this error until it is empty again. */
  refuse: string
  close(): Promise<void>
}

/** Mailboxes that begin with `refused` do not exist there. */
export async function openMailbox(): Promise<Mailbox> {
  const mails: string[] = []
  const recipients: (readonly string[])[] = []
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      username === MAIL_LOGIN.user && password === MAIL_LOGIN.password
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onRcptTo: ({ address }, _, done) => (address.startsWith('refused') ? done(new Error('no such mailbox')) : done()),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (box.refuse) return done(new Error(box.refuse))
        mails.push(Buffer.concat(chunks).toString())
        recipients.push(envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  const box: Mailbox = { url: `smtp://127.0.0.1:${port}`, port, mails, recipients, refuse: '', close }
  return box
}
