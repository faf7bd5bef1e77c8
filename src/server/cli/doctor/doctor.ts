import { existsSync, readFileSync, statSync } from 'node:fs'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecurely } from 'node:https'
import type { Command } from 'commander'
import { verifySmtp } from '../../../application/alerts/mailer.ts'
import type { Settings } from '../../../config/config.ts'
import { databasePath, shownDatabase } from '../../../config/database-path.ts'
import { readSettings, readTextFile } from '../../../config/read-settings.ts'
import { knownKeyCheck, otherKey, secretKeyCheck, secretKeyFile } from '../../../config/secret-key.ts'
import { faultSentence } from '../../../config/setting.ts'
import { base64Key, isLoopbackUrl } from '../../../config/setting-kinds.ts'
import { smtpAddress } from '../../../config/smtp-address.ts'
import { localUrl } from '../../app.ts'
import { type CliContext, EXIT } from '../cli-context.ts'
import { declare } from '../declare.ts'
import { tryListen } from '../free-port.ts'
import { ExitCode, type JsonOption } from '../output/print.ts'
import { firstStartFile } from '../output/show-once.ts'
import {
  type Check,
  checkChargePoints,
  checkClock,
  checkDatabaseFile,
  checkDisk,
  findings,
  readQuietly,
} from './doctor-database.ts'
import { checkStandby } from './doctor-standby.ts'

export function register(program: Command, context: CliContext): void {
  declare(program, context, {
    usage: 'doctor',
    does: 'check settings, key, database, disk, port and clock; changes nothing',
    examples: ['pilotwire doctor', 'pilotwire doctor --json'],
    run: doctor,
  })
}

async function doctor(context: CliContext, { json }: JsonOption): Promise<void> {
  const { settings, faults, warnings } = readSettings(context.environment, readTextFile)
  const ofSettings = findings('settings')
  const checks: Check[] = [
    ...faults.map((fault) => ofSettings.failed(faultSentence(fault))),
    ...warnings.map(ofSettings.warning),
  ]
  if (settings) {
    if (checks.length === 0) checks.push(ofSettings.ok(`All valid; ${settings.mode} mode.`))
    checks.push(await checkKey(settings))
    const leftOver = checkFirstStart(settings)
    if (leftOver) checks.push(leftOver)
    checks.push(await checkDatabaseFile(settings))
    const standby = await checkStandby(settings)
    if (standby) checks.push(standby)
    checks.push(checkDisk(settings))
    checks.push(await checkListen(settings))
    checks.push(await checkAddress(settings))
    checks.push(await checkClock(settings, context.now()))
    if (settings.smtpUrl !== undefined) checks.push(await checkMail(settings.smtpUrl, settings.smtpAllowPlain))
    if (settings.mode === 'production') checks.push(await checkChargePoints(settings))
  }
  const healthy = checks.every(({ status }) => status !== 'failed')
  if (json) context.out(JSON.stringify({ healthy, checks }))
  else for (const { check, status, detail } of checks) context.out(`${marks[status]}  ${check.padEnd(13)}  ${detail}`)
  if (faults.length > 0) throw new ExitCode(EXIT.configuration)
  if (!healthy) throw new ExitCode(EXIT.failure)
}

const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const

/** Whether the mail server answers and lets us in (ALERT-M5). Only a warning: mail waits for it. */
async function checkMail(smtpUrl: string, allowPlain: boolean): Promise<Check> {
  const { ok, warning, failed } = findings('mail')
  const server = smtpAddress(smtpUrl)
  if (!server) return failed('PILOTWIRE_SMTP_URL is no address of a mail server.')
  const place = `${server.host}:${server.port}`
  try {
    await verifySmtp(server, allowPlain)
    return ok(`${place} answers.`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const isWithoutTls = error instanceof Error && 'code' in error && error.code === 'ETLS'
    const noTls = isWithoutTls ? '; PILOTWIRE_SMTP_ALLOW_PLAIN=true allows a server without TLS' : ''
    return warning(
      `${place} does not take our mail (${reason}): check PILOTWIRE_SMTP_URL${noTls}. Mail about alerts waits.`,
    )
  }
}

const OTHERS = 0o077
const { ok, warning, failed } = findings('secret key')

async function checkKey(settings: Settings): Promise<Check> {
  const found = settings.secretKey ? ok('Set by PILOTWIRE_SECRET_KEY.') : checkKeyFile(settings)
  const path = shownDatabase(settings.databaseUrl)
  const key = found.status === 'failed' ? undefined : (settings.secretKey ?? keyIn(secretKeyFile(path)))
  const known = await readQuietly(settings.databaseUrl, knownKeyCheck)
  if (key === undefined || known === undefined || known === secretKeyCheck(key)) return found
  return { ...found, status: 'failed', detail: `It is another key: ${otherKey(path)}.` }
}

/** SERVER-C4: secrets in plain text, of which everybody who needs them has a copy by now. */
function checkFirstStart(settings: Settings): Check | undefined {
  const file = firstStartFile(settings)
  if (!existsSync(file)) return undefined
  return findings('first start').warning(
    `${file} holds the administrator's password and an API credential: keep what you need, then delete it.`,
  )
}

function keyIn(file: string): Buffer | undefined {
  return existsSync(file) ? base64Key.read(readFileSync(file, 'utf8').trim()) : undefined
}

function checkKeyFile(settings: Settings): Check {
  const database = databasePath(settings.databaseUrl)
  const file = secretKeyFile(database)
  let stat: ReturnType<typeof statSync>
  try {
    stat = statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    return unreadable(file, error)
  }
  if (!stat) {
    return statSync(database, { throwIfNoEntry: false })?.isFile()
      ? failed(`${file} is gone although the database exists: restore it from its backup.`)
      : ok(`Will be generated into ${file} on the first start.`)
  }
  if ((stat.mode & OTHERS) !== 0) {
    const mode = (stat.mode & 0o777).toString(8)
    return warning(`${file} has mode ${mode}, so others can read it: chmod 600 ${file}`)
  }
  try {
    if (base64Key.read(readFileSync(file, 'utf8').trim())) return ok(`${file}, mode 600.`)
    return failed(`${file} is damaged: expected ${base64Key.expected}; restore its backup.`)
  } catch (error) {
    return unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): Check {
  const reason = error instanceof Error ? error.message : error
  return failed(`${file} cannot be read (${reason}): run this as the user of the server, or give this one the right.`)
}

const ANSWER_TIMEOUT_MS = 3000

async function checkListen(settings: Settings): Promise<Check> {
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
async function checkAddress({ baseUrl, port }: Settings): Promise<Check> {
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
