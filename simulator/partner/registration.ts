/** Credentials in both directions: tokens, the version that both sides have, and the addresses of the other side. */
import { randomUUID } from 'node:crypto'
import type { Client } from './client.ts'
import { OK, type Received, type Reply } from './objects.ts'
import { type Endpoint, isObject, type Json, type OcpiVersion, objectsOf, type Party } from './wire.ts'

export interface Registration {
  /** With which the other side is called. */
  readonly theirToken: () => string
  readonly peer: () => Json | undefined
  readonly peerParty: () => Party | undefined
  readonly version: () => OcpiVersion | undefined
  /** Throws a sentence where the other side names no such address. */
  readonly endpoint: (module: string, role?: 'SENDER' | 'RECEIVER') => string
  /** Whether one of these tokens may call us; a newer one that was used ends the older ones. */
  readonly admits: (tokens: readonly string[]) => string | undefined
  readonly reply: (request: Received, used: string) => Promise<Reply>
  register(versionsUrl: string, tokenA: string): Promise<void>
  rotate(): Promise<void>
}

interface RegistrationContext {
  readonly tokenA: string
  readonly offered: readonly OcpiVersion[]
  readonly credentials: (token: string) => Json
  readonly client: () => Client
}

export function createRegistration({ tokenA, offered, credentials, client }: RegistrationContext): Registration {
  /** Newest first. */
  let accepted: readonly string[] = [tokenA]
  let theirToken = ''
  let peer: Json | undefined
  let version: OcpiVersion | undefined
  let endpoints: readonly Endpoint[] = []

  const discover = async (url: string): Promise<void> => {
    const theirs = objectsOf(await client().ask('GET', url))
    const common = offered.filter((one) => theirs.some((entry) => entry.version === one)).at(-1)
    const entry = theirs.find((one) => one.version === common)
    if (!common || !entry) {
      const names = theirs.map((one) => String(one.version)).join(', ') || 'none'
      throw new Error(`no common version: ${url} has ${names}, this partner ${offered.join(', ')}`)
    }
    const details = await client().ask('GET', String(entry.url))
    endpoints = objectsOf(isObject(details) ? details.endpoints : []) as unknown as readonly Endpoint[]
    version = common
  }
  const endpoint: Registration['endpoint'] = (module, role) => {
    const found = endpoints.find((one) => one.identifier === module && (role ?? one.role) === one.role)
    if (!found) throw new Error(`the other side names no address for ${module}${role ? ` as ${role}` : ''}`)
    return found.url.replace(/\/$/, '')
  }
  const exchange = async (method: 'POST' | 'PUT'): Promise<void> => {
    const token = randomUUID()
    const before = accepted
    accepted = [token, ...accepted]
    try {
      const theirs = await client().ask(method, endpoint('credentials'), credentials(token))
      if (!isObject(theirs)) throw new Error('the answer has no credentials')
      peer = theirs
      theirToken = String(theirs.token)
    } catch (error) {
      accepted = before
      throw error
    }
  }
  const renew = async (theirs: Json): Promise<Reply> => {
    const previous = theirToken
    theirToken = String(theirs.token)
    try {
      await discover(String(theirs.url))
    } catch (error) {
      theirToken = previous
      return { status: 200, statusCode: 3001, message: error instanceof Error ? error.message : String(error) }
    }
    peer = theirs
    const token = randomUUID()
    accepted = [token, ...accepted]
    return { status: 200, data: credentials(token) }
  }
  return {
    theirToken: () => theirToken,
    peer: () => peer,
    peerParty() {
      const [role] = objectsOf(peer?.roles)
      return role && { countryCode: String(role.country_code), partyId: String(role.party_id) }
    },
    version: () => version,
    endpoint,
    admits(tokens) {
      const token = tokens.find((one) => accepted.includes(one))
      if (token !== undefined) accepted = accepted.slice(0, accepted.indexOf(token) + 1)
      return token
    },
    async reply({ method, body }, used) {
      if (method === 'GET') return { status: 200, data: credentials(used) }
      if ((method === 'POST') === (peer !== undefined)) {
        return { status: 405, statusCode: 2001, message: peer ? 'registered already: use PUT' : 'not registered' }
      }
      if (method !== 'DELETE') {
        return isObject(body) ? renew(body) : { status: 200, statusCode: 2001, message: 'the body has no credentials' }
      }
      peer = undefined
      accepted = []
      return OK
    },
    async register(url, token) {
      theirToken = token
      await discover(url)
      await exchange('POST')
    },
    rotate: () => exchange('PUT'),
  }
}
