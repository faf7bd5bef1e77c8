/**
 * Addresses of receivers. The DNS is asked by sockets of our own: the system's look-up holds one of two threads until it
 * is answered, so two names whose servers are silent would keep all other receivers waiting (F1).
 */
import { lookup, Resolver } from 'node:dns/promises'
import type { Resolve } from './sender.ts'

/** Per server; the second try waits twice as long. Together they stay below the 15 s of an attempt (R3). */
const PATIENCE = { timeout: 2000, tries: 2 }
/** The DNS answered, or there is none: the name may still stand in the hosts file or need a search domain. */
const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/**
 * Every address of a name; rejects when there is none.
 * @param servers of the DNS, with ports; the system's unless given
 * @param system look-up for what the DNS does not know
 * @param patience milliseconds for a server's answer, and how often it is asked
 */
export function createResolve(
  servers?: readonly string[],
  system: Resolve = systemLookup,
  patience = PATIENCE,
): Resolve {
  return async (hostname) => {
    if (isLocal(hostname)) return system(hostname)
    // A new one each time knows the servers as they are configured now.
    const resolver = new Resolver(patience)
    if (servers) resolver.setServers(servers)
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
    if (failures.every((failure) => UNKNOWN_TO_DNS.has(codeOf(failure)))) return system(hostname)
    throw new Error(`the DNS does not answer for ${hostname}`, { cause: failures[0] })
  }
}

export const systemResolve: Resolve = createResolve()

/** The hosts file counts here, so that `localhost` is an address. */
async function systemLookup(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)
}

/** Names that no stranger's server answers for. */
function isLocal(hostname: string): boolean {
  return !hostname.includes('.') || hostname.endsWith('.localhost')
}

function codeOf(error: Error): string {
  return String((error as { code?: unknown }).code ?? '')
}
