import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecurely } from 'node:https'
import type { Settings } from '../../../config/config.ts'
import { isLoopbackUrl } from '../../../config/loopback.ts'
import { localUrl } from '../../port.ts'
import { tryListen } from '../free-port.ts'
import { type Check, findings } from './doctor-check.ts'

const ANSWER_TIMEOUT_MS = 3000

export async function checkListen(settings: Settings): Promise<Check> {
  const { ok, failed } = findings('port')
  const { host, port } = settings
  const code = await tryListen(host, port)
  if (code === undefined) return ok(`${host}:${port} is free.`)
  if (code !== 'EADDRINUSE') {
    return failed(`Cannot listen on ${host}:${port} (${code}): set PILOTWIRE_HOST or PILOTWIRE_PORT.`)
  }
  // A certificate names the public address and never this one: whether it is our server is all that is asked.
  const answer = await ask(`${localUrl(settings, port)}/healthz`, 'any certificate')
  return answer === 'healthy'
    ? ok(`A server is running on ${host}:${port}.`)
    : failed(`${host}:${port} is taken by something else: stop it or set PILOTWIRE_PORT.`)
}

/** The base URL as clients use it. Unreachable is only a warning: names often resolve elsewhere. */
export async function checkAddress({ baseUrl, port }: Settings): Promise<Check> {
  const { ok, warning } = findings('base URL')
  if (isLoopbackUrl(baseUrl) && port !== 0 && effectivePort(baseUrl) !== port) {
    return warning(`${baseUrl} names another port than PILOTWIRE_PORT=${port}: links and tokens will point there.`)
  }
  const address = `${baseUrl}/healthz`
  const answer = await ask(address, 'a trusted certificate')
  if (answer === 'healthy') return ok(`${baseUrl} answers.`)
  if (baseUrl.startsWith('https:') && (await ask(address, 'any certificate')) === 'healthy') {
    return warning(
      `${baseUrl} answers with a certificate that this machine does not trust (${answer}): charge points and browsers must trust its authority, or it must be replaced.`,
    )
  }
  if (isLoopbackUrl(baseUrl)) return ok(`${baseUrl} (no server is running).`)
  return warning(`${baseUrl} does not answer from here (${answer}): start the server, then check DNS and proxy.`)
}

function effectivePort(address: string): number {
  const { port, protocol } = new URL(address)
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

function ask(url: string, accept: 'a trusted certificate' | 'any certificate'): Promise<string> {
  const secure = url.startsWith('https:')
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  return new Promise((resolve) => {
    const answered = ({ statusCode = 0 }: IncomingMessage): void =>
      resolve(statusCode === 200 ? 'healthy' : `status ${statusCode}`)
    const request = secure
      ? getSecurely(url, { signal, agent: false, rejectUnauthorized: accept === 'a trusted certificate' }, answered)
      : getPlain(url, { signal, agent: false }, answered)
    request.on('response', (response) => response.destroy())
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve(signal.aborted ? 'no answer in time' : (error.code ?? error.message)),
    )
  })
}
