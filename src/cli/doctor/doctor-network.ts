import { createServer } from 'node:net'
import { isLoopbackUrl } from '../../config/loopback.ts'
import type { Settings } from '../../config.ts'
import { localUrl } from '../../port.ts'
import type { Check } from './doctor-check.ts'

const ANSWER_TIMEOUT_MS = 3000

/** Free, or taken by our own server. */
export async function checkListen(settings: Settings): Promise<Check> {
  const check = 'port'
  const { host, port } = settings
  const code = await tryListen(host, port)
  if (code === undefined) return { check, status: 'ok', detail: `${host}:${port} is free.` }
  if (code !== 'EADDRINUSE') {
    return {
      check,
      status: 'failed',
      detail: `Cannot listen on ${host}:${port} (${code}): set PILOTWIRE_HOST or PILOTWIRE_PORT.`,
    }
  }
  const answer = await ask(`${localUrl(settings, port)}/healthz`)
  return answer === 'healthy'
    ? { check, status: 'ok', detail: `A server is running on ${host}:${port}.` }
    : { check, status: 'failed', detail: `${host}:${port} is taken by something else: stop it or set PILOTWIRE_PORT.` }
}

/**
 * The base URL as clients use it. Unreachable is only a warning: names often resolve elsewhere, and nothing may run
 * yet.
 */
export async function checkAddress({ baseUrl, port }: Settings): Promise<Check> {
  const check = 'base URL'
  if (isLoopbackUrl(baseUrl) && port !== 0 && effectivePort(baseUrl) !== port) {
    return {
      check,
      status: 'warning',
      detail: `${baseUrl} names another port than PILOTWIRE_PORT=${port}: links and tokens will point there.`,
    }
  }
  const answer = await ask(`${baseUrl}/healthz`)
  if (answer === 'healthy') return { check, status: 'ok', detail: `${baseUrl} answers.` }
  if (isLoopbackUrl(baseUrl)) return { check, status: 'ok', detail: `${baseUrl} (no server is running).` }
  return {
    check,
    status: 'warning',
    detail: `${baseUrl} does not answer from here (${answer}): start the server, then check DNS and proxy.`,
  }
}

function effectivePort(address: string): number {
  const { port, protocol } = new URL(address)
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

async function ask(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS), redirect: 'manual' })
    return response.ok ? 'healthy' : `status ${response.status}`
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause)
  }
}

function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}
