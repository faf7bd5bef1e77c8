import type { Command } from 'commander'
import { verifySmtp } from '../../../application/alerts/mailer.ts'
import { readTextFile } from '../../../config/load-config.ts'
import { readSettings } from '../../../config/read-settings.ts'
import { faultSentence } from '../../../config/setting.ts'
import { smtpAddress } from '../../../config/smtp-address.ts'
import { type CliContext, EXIT } from '../cli-context.ts'
import { declare } from '../declare.ts'
import { ExitCode } from '../output/exit-code.ts'
import type { JsonOption } from '../output/print.ts'
import { type Check, findings } from './doctor-check.ts'
import { checkChargePoints, checkClock, checkDatabaseFile, checkDisk } from './doctor-database.ts'
import { checkFirstStart, checkKey } from './doctor-key.ts'
import { checkAddress, checkListen } from './doctor-network.ts'
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
