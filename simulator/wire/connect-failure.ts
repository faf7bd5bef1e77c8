/** What a failed connection means, and what to do about it: one sentence for people. */

/** The server answered the upgrade with a plain HTTP status. */
export class UpgradeRefused extends Error {
  readonly code: number
  constructor(status: number) {
    super(`HTTP ${status}`)
    this.code = status
  }
}

export function explainConnectFailure(error: unknown, url: string): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  const reason = error instanceof Error ? error.message : String(error)
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `no server at ${url}: start it, or give the right address with --url`
  if (code === 401) return 'the server refused the password (401): give the charge point’s password with --password'
  if (code === 403) return 'the server refuses this charge point (403): it may be disabled there'
  if (code === 404)
    return 'the server does not know this charge point (404): add it there, and check the path of the address'
  if (code === 400)
    return `the server refused the connection (400): it does not offer this OCPP version here, or ${url} is no OCPP address`
  if (code === 503) return 'the server is too busy to take new connections (503): try again in a minute'
  if (code === 429) return 'the server takes no more connections from here for now (429): try again in a minute'
  if (typeof code === 'number')
    return `what answers at ${url} is no OCPP server (HTTP ${code}): check the address with --url`
  if (/handshake has timed out/i.test(reason))
    return `the server at ${url} takes the connection but does not answer: is it an OCPP server, and does it run?`
  if (/subprotocol/i.test(reason))
    return `the server at ${url} does not agree to this OCPP version: try the other one with --ocpp`
  if (code === 'ECONNRESET' || /socket hang up/i.test(reason))
    return `the server at ${url} closed the connection at once: is it an OCPP server, and is ws:// or wss:// right?`
  if (typeof code === 'string' && code.startsWith('HPE_'))
    return `what answers at ${url} does not speak HTTP: check the address with --url`
  if (/certificate|self[- ]signed|altnames/i.test(reason))
    return `the certificate of ${url} is not trusted (${reason}): name its authority with NODE_EXTRA_CA_CERTS`
  return `the connection to ${url} failed: ${reason}. Check the address with --url`
}
