/** DNS on sockets of our own: silent name servers would hold the two threads of the system's look-up (HOOK-F1). */
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { codeOf, type Resolve } from './sender.ts'

interface ResolveOptions {
  /** Of the DNS, with ports; the system's unless given. */
  readonly servers?: readonly string[] | undefined
  readonly system?: Resolve | undefined
  readonly hostsFile?: string | undefined
  /** For the answer of one server, in milliseconds; the second try waits twice as long. */
  readonly timeout?: number | undefined
  readonly tries?: number | undefined
}

/** The DNS answered, or there is none: the name may still need a search domain. */
const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])
const HOSTS_FILE =
  process.platform === 'win32' ? `${process.env.SystemRoot}\\System32\\drivers\\etc\\hosts` : '/etc/hosts'

/** Every address of a name; rejects when there is none. Two silent servers take less than an attempt may (HOOK-R3). */
export function createResolve({
  servers,
  system = systemLookup,
  hostsFile = HOSTS_FILE,
  timeout = 2000,
  tries = 2,
}: ResolveOptions = {}): Resolve {
  // One system look-up at a time: a server that refuses us may not answer it either, and a thread must stay free.
  let turn: Promise<unknown> = Promise.resolve()
  const systemInTurn: Resolve = (hostname) => {
    const found = turn.then(() => system(hostname))
    turn = found.catch(() => undefined)
    return found
  }
  return async (hostname) => {
    if (isLocal(hostname) || (await isNamedIn(hostsFile, hostname))) return system(hostname)
    // A new one each time knows the servers as they are configured now.
    const resolver = new Resolver({ timeout, tries })
    if (servers) resolver.setServers(servers)
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
    if (failures.every((failure) => UNKNOWN_TO_DNS.has(codeOf(failure)))) return systemInTurn(hostname)
    throw new Error(`the DNS does not answer for ${hostname}`, { cause: failures[0] })
  }
}

export const systemResolve: Resolve = createResolve()

/** The hosts file counts here, so that `localhost` is an address. */
async function systemLookup(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)
}

function isLocal(hostname: string): boolean {
  return !hostname.includes('.') || hostname.endsWith('.localhost')
}

/** The hosts file comes before the DNS. What it says of the name is the system's to read. */
async function isNamedIn(hostsFile: string, hostname: string): Promise<boolean> {
  const hosts = await readFile(hostsFile, 'utf8').catch(() => '')
  return hosts.toLowerCase().split(/\s+/).includes(hostname.toLowerCase())
}
