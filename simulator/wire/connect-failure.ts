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
    return `the server at ${url} does not agree to this OCPP version: try another one with --ocpp`
  if (code === 'ECONNRESET' || /socket hang up/i.test(reason))
    return `the server at ${url} closed the connection at once: is it an OCPP server, and is ws:// or wss:// right?`
  if (typeof code === 'string' && code.startsWith('HPE_'))
    return `what answers at ${url} does not speak HTTP: check the address with --url`
  if (/certificate|self[- ]signed|altnames/i.test(reason))
    return `the certificate of ${url} is not trusted (${reason}): name its authority with NODE_EXTRA_CA_CERTS`
  return `the connection to ${url} failed: ${reason}. Check the address with --url`
}

/** By the registry of RFC 6455 §11.7. */
const CLOSE_CODES: Readonly<Record<number, string>> = {
  1000: 'normal closure',
  1001: 'going away',
  1002: 'protocol error',
  1003: 'unsupported data',
  1007: 'invalid frame payload data',
  1008: 'policy violation',
  1009: 'message too big',
  1010: 'mandatory extension',
  1011: 'internal error',
  1012: 'service restart',
  1013: 'try again later',
  1014: 'bad gateway',
}

/** How the other side ended a connection that was open: what happened, and what to do. */
export function explainClose(code: number, reason: string): { readonly fact: string; readonly advice: string } {
  if (code === 1005 || code === 1006) {
    const how = code === 1005 ? 'the server closed the connection without a code' : 'the connection was cut (1006)'
    return { fact: how, advice: 'The server, or a proxy before it, may have restarted: its log says more' }
  }
  const name = CLOSE_CODES[code]
  const text = reason === '' ? '' : `: ${reason}`
  return {
    fact: `the server closed the connection with close code ${code}${name === undefined ? '' : ` (${name})`}${text}`,
    advice: adviceOnClose(code),
  }
}

function adviceOnClose(code: number): string {
  if (code === 1000 || code === 1001 || code === 1012 || code === 1013 || code === 1014)
    return 'It may be restarting, or too busy: try again in a minute'
  if (code === 1008)
    return 'It refuses this charge point or its last message: check --id, --password and --ocpp, and look in its log'
  if (code === 1011) return 'The server failed: its log says why'
  if (code >= 3000) return 'The code is the server’s own: look in its log or its documentation'
  return 'It could not read the last message: its log says what was wrong with it'
}

export function adviceOnCallError(code: string): string {
  if (code === 'NotImplemented' || code === 'NotSupported')
    return 'The central system does not support this message: check the OCPP version with --ocpp'
  if (code === 'SecurityError')
    return 'The central system refuses this charge point: check --id and --password, and look in its log'
  if (/Violation$|^ProtocolError$|^RpcFrameworkError$|^MessageTypeNotSupported$/.test(code))
    return 'The central system holds the message to be malformed: its log says what it expected'
  return 'The central system could not process the message: its log says why'
}
