/** The program's log: one line per event. Secrets are blanked by field, and masked again in the finished line. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from '../config/config.ts'
import { SECRET_PREFIXES } from '../domain/accounts/credentials.ts'
import { visible, visibleLines } from './visible-text.ts'

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

/** All that we hand out (API-B7), in both base64s, and Authorization's value. No word boundary: escapes precede. */
const SECRET_TEXT = new RegExp(
  `(${Object.values(SECRET_PREFIXES).join('|')})[A-Za-z0-9_+/=-]+|(Basic|Bearer) +[A-Za-z0-9+/._~=-]{8,}`,
  'gi',
)

interface LogOptions {
  readonly level: LogLevel
  readonly stream: DestinationStream
  readonly readable: boolean
}

export function createLog({ level, stream, readable }: LogOptions): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[hidden]' },
      hooks: { streamWrite: (line) => visibleLines(maskSecrets(line)) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    readable ? { write: (line) => stream.write(readableLine(line)) } : stream,
  )
}

/** Leaves the kind of secret visible: that is what one wants to know when it turns up in a log. */
export function maskSecrets(line: string): string {
  return line.replace(SECRET_TEXT, (_, prefix: string | undefined, scheme: string | undefined) =>
    prefix === undefined ? `${scheme} [hidden]` : `${prefix}[hidden]`,
  )
}

/** @example 12:00:01.123 WARN  Charge point refused chargePointId=EV-1 status=401 */
function readableLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const label = (pino.levels.labels[Number(level)] ?? '').toUpperCase().padEnd(5)
  const fields = Object.entries(rest).map(([name, value]) => `${visible(name)}=${shown(value)}`)
  const stack = isError(err) ? `\n${stackOf(err)}` : ''
  const message = msg === undefined ? undefined : visible(String(msg))
  return `${[String(time).slice(11, 23), label, message, ...fields].filter((part) => part !== undefined).join(' ')}${stack}\n`
}

/** A text that could be taken for further fields stands in quotes. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return visible(JSON.stringify(value))
  return /["=]/.test(value) ? visible(JSON.stringify(value)) : visible(value)
}

/** Frames are lines of their own; a line of the message, or of a cause's, does not begin where lines of the log do. */
function stackOf({
  message,
  stack = message,
}: {
  readonly message: string
  readonly stack?: string | undefined
}): string {
  const [first = '', ...lines] = stack.replace(message, () => visible(message)).split('\n')
  return [first, ...lines.map((line) => (/^ +at /.test(line) ? line : `    ${line}`))].map(visible).join('\n')
}

function isError(value: unknown): value is { message: string; stack?: string | undefined } {
  return typeof value === 'object' && value !== null && 'message' in value
}
