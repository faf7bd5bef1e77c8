import { verifySmtp } from '../../blocks/alerts/mailer.ts'
import { smtpAddress } from '../../config/smtp-address.ts'
import type { Check } from './doctor-check.ts'

/** Whether the mail server answers and lets us in (ALERT-M5). Only a warning: mail waits for it. */
export async function checkMail(smtpUrl: string): Promise<Check> {
  const check = 'mail'
  const server = smtpAddress(smtpUrl)
  if (!server) return { check, status: 'failed', detail: 'PILOTWIRE_SMTP_URL is no address of a mail server.' }
  const place = `${server.host}:${server.port}`
  try {
    await verifySmtp(server)
    return { check, status: 'ok', detail: `${place} answers.` }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const detail = `${place} does not take our mail (${reason}): check PILOTWIRE_SMTP_URL. Mail about alerts waits.`
    return { check, status: 'warning', detail }
  }
}
