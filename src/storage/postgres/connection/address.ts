/** `PILOTWIRE_DATABASE_URL`, e.g. postgres://app:secret@db1:5432,db2/pilotwire; one of several hosts is the primary. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { DatabaseRefused } from '../../storage-error.ts'

export interface PostgresAddress {
  readonly hosts: readonly { readonly host: string; readonly port: number }[]
  readonly user: string
  readonly password?: string | undefined
  readonly database: string
  readonly ssl: false | ConnectionOptions
  readonly shown: string
}

const EXAMPLE = 'use postgres://user:password@host:5432/database'
const DEFAULT_PORT = 5432
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
const PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'host',
  'port',
  'application_name',
  'target_session_attrs',
]

/** @throws Error a sentence on what to write, never with the password in it */
export function postgresAddress(url: string): PostgresAddress {
  const [, rest = ''] = /^postgres(?:ql)?:\/\/(.*)$/is.exec(url) ?? []
  const [beforeQuery = '', query = ''] = splitOnce(rest, '?')
  const [authority = '', path = ''] = splitOnce(beforeQuery, '/')
  const at = authority.lastIndexOf('@')
  const [user, password] = splitOnce(at < 0 ? '' : authority.slice(0, at), ':')
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name)) {
      throw new DatabaseRefused(
        `The database address has the parameter ${name}, which is not known: take it out (${PARAMETERS.join(', ')} are).`,
      )
    }
  }
  const hosts = hostsOf(authority.slice(at + 1) || (parameters.get('host') ?? 'localhost'), parameters.get('port'))
  const database = decoded(path)
  if (!user) throw new DatabaseRefused(`The database address names no user: ${EXAMPLE}.`)
  if (database === '') throw new DatabaseRefused(`The database address names no database: ${EXAMPLE}.`)
  const name = decoded(user)
  return {
    hosts,
    user: name,
    password: password === undefined ? undefined : decoded(password),
    database,
    ssl: sslOf(parameters),
    shown: `postgres://${name}@${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`,
  }
}

function hostsOf(text: string, ports: string | null): PostgresAddress['hosts'] {
  return text.split(',').map((one, index) => {
    const [, bracketed, plain, written] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(one) ?? []
    const host = bracketed ?? decoded(plain ?? '')
    const port = Number(written ?? ports?.split(',')[index] ?? DEFAULT_PORT)
    if (host === '' || port < 1 || port > 65_535) {
      throw new DatabaseRefused(
        `The database address has a host that cannot be read: ${EXAMPLE}, several as host1:port1,host2:port2.`,
      )
    }
    return { host, port }
  })
}

function sslOf(parameters: URLSearchParams): PostgresAddress['ssl'] {
  const mode = parameters.get('sslmode') ?? 'prefer'
  if (!(SSL_MODES as readonly string[]).includes(mode)) {
    throw new DatabaseRefused(`sslmode of the database address is not one of ${SSL_MODES.join(', ')}.`)
  }
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') return false
  const file = (name: string, member: string) => {
    const path = parameters.get(name)
    if (path === null) return {}
    try {
      return { [member]: readFileSync(path, 'utf8') }
    } catch (error) {
      throw new DatabaseRefused(`${name} of the database address cannot be read: ${(error as Error).message}.`)
    }
  }
  const verified = { rejectUnauthorized: mode !== 'require' || parameters.has('sslrootcert') }
  // verify-ca checks the signer, not the name.
  const anyName = mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }
  return { ...verified, ...anyName, ...file('sslrootcert', 'ca'), ...file('sslcert', 'cert'), ...file('sslkey', 'key') }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new DatabaseRefused('The database address has a % that is no escape: write %25 for it.')
  }
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
