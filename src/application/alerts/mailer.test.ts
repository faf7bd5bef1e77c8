import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMailer, verifySmtp } from './mailer.ts'

const logins: string[] = []
const mails: string[] = []
const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth({ password }, _, done) {
    logins.push(password ?? '')
    done(null, { user: 'me' })
  },
  onData(stream, { envelope }, done) {
    stream.resume().on('end', () => {
      mails.push(...envelope.rcptTo.map(({ address }) => address))
      done()
    })
  },
})
server.on('error', () => undefined)
const relay = (isLocal: boolean) => {
  const { port } = server.server.address() as AddressInfo
  return { host: '127.0.0.1', port, secure: false, user: 'me', password: 'p@ss', isLocal }
}
const mail = { to: 'ops@example.com', messageId: '<1@x.example>', subject: 'S', text: 'T' }

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
beforeEach(() => {
  logins.length = 0
  mails.length = 0
})

it('ALERT-M6: gets neither password nor mail in clear', async () => {
  const mailer = createMailer(relay(false), false, 'p@x.example')
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'ETLS' })
  await expect(verifySmtp(relay(false), false)).rejects.toMatchObject({ code: 'ETLS' })
  expect([logins, mails]).toEqual([[], []])
})

it.each([
  ['a setting allows it', false, true],
  ['it is on this machine', true, false],
])('ALERT-M6: gets both where %s', async (_, isLocal, allowPlain) => {
  await createMailer(relay(isLocal), allowPlain, 'p@x.example').send(mail)
  expect([logins, mails]).toEqual([['p@ss'], ['ops@example.com']])
})
