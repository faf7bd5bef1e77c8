import type { SmtpServer } from '../domain/alerts/smtp-server.ts'
import { textFault } from '../domain/typed-text.ts'
import { isLoopbackHost, textKind } from './setting-kinds.ts'

/** The parts of `smtps://user:password@mail.example.com`, percent-decoded. Default port: 587, or 465 with TLS. */
export function smtpAddress(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  if (!/^smtps?:$/.test(protocol) || hostname === '' || port === '0') return undefined
  if ((pathname !== '' && pathname !== '/') || search || hash || (username === '') !== (password === ''))
    return undefined
  const secure = protocol === 'smtps:'
  try {
    const login = username ? { user: decodeURIComponent(username), password: decodeURIComponent(password) } : {}
    const host = hostname.replace(/^\[|\]$/g, '')
    return { host, port: Number(port) || (secure ? 465 : 587), secure, ...login, isLocal: isLoopbackHost(host) }
  } catch {
    return undefined
  }
}

/** The kind of setting that holds such an address; its text is kept as it was given. */
export const smtpUrl = textKind(
  'smtp or smtps, user and password (percent-encoded) if it wants them, host and port',
  (text) => (smtpAddress(text) ? text : undefined),
)

/** An address, or a name and an address in angle brackets. */
export const mailSender = textKind(
  'an e-mail address, or a name and an address as in Pilotwire <alerts@example.com>',
  (text) => {
    const [, name = '', address = text] = /^([^<>"\\]*)<([^<>]+)>$/.exec(text) ?? []
    const isPlain = textFault(name, { most: 100, mayBeEmpty: true }) === undefined
    return isPlain && MAIL_ADDRESS.test(address) && address.length <= 254 ? text : undefined
  },
)

const MAIL_ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/
