/**
 * The program's log: one line per event on stderr, JSON for machines, short text for a terminal. Secrets are kept out
 * twice: known fields are blanked, and whatever looks like one of our secrets is masked in the finished line.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'

export type { Logger } from 'pino'

const SECRET_FIELDS = [
  'authorization',
  'password',
  'passwordHash',
  'secret',
  'secretKey',
  'secretHash',
  'token',
  'cookie',
  'client_secret',
  'code_verifier',
  'refresh_token',
  'access_token',
  'id_token',
]

/** API credentials, tokens, client and webhook secrets (contract 3), and the Authorization header's value. */
const SECRET_TEXT = /\b(pwk|pwa|pwr|pws|whsec)_[A-Za-z0-9_-]+|\b(Basic|Bearer) +[A-Za-z0-9+/._~=-]{8,}/g

export interface LogOptions {
  readonly level: LogLevel
  /** Where lines go: an object with `write`, such as process.stderr. */
  readonly stream: DestinationStream
  /** Short text instead of JSON. */
  readonly readable: boolean
}

export function createLog({ level, stream, readable }: LogOptions): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[hidden]' },
      hooks: { streamWrite: maskSecrets },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    readable ? { write: (line) => stream.write(readableLine(line)) } : stream,
  )
}

/** Leaves the kind of secret visible: that is what one wants to know when it turns up in a log. */
export function maskSecrets(line: string): string {
  return line.replace(SECRET_TEXT, (_, kind: string | undefined, scheme: string | undefined) =>
    kind === undefined ? `${scheme} [hidden]` : `${kind}_[hidden]`,
  )
}

/** @example 12:00:01.123 WARN  Charge point refused chargePointId=EV-1 status=401 */
export function readableLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const label = (pino.levels.labels[Number(level)] ?? '').toUpperCase().padEnd(5)
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const stack = isError(err) ? `\n${err.stack ?? err.message}` : ''
  return `${[String(time).slice(11, 23), label, msg, ...fields].filter((part) => part !== undefined).join(' ')}${stack}\n`
}

function isError(value: unknown): value is { message: string; stack?: string } {
  return typeof value === 'object' && value !== null && 'message' in value
}
