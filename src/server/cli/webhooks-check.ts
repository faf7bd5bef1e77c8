import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { newUuid } from '../../domain/message-log/log-id.ts'
import { checkReceiver, type JudgedCase } from '../../webhooks/conformance.ts'
import { type CliContext, EXIT, UsageError } from './cli-context.ts'
import { declare } from './declare.ts'
import { ExitCode } from './output/exit-code.ts'
import type { JsonOption } from './output/print.ts'

type CheckOptions = { secret?: string | undefined } & JsonOption

/** `pilotwire webhooks check <url>` (HOOK-B3). */
export function addCheck(webhooks: Command, context: CliContext): void {
  declare(webhooks, context, {
    usage: 'check',
    does: 'send a receiver good and bad events, and say what it should do otherwise',
    takes: (command) =>
      command
        .argument('<url>', 'the receiver, such as http://localhost:3000/hook')
        .option(...secretFlag('the secret that the receiver verifies with')),
    examples: ['pilotwire webhooks check http://localhost:3000/hook'],
    run: check,
  })
}

async function check(context: CliContext, url: string, { json, ...options }: CheckOptions): Promise<void> {
  requireAddress('<url>', url)
  const secret = webhookSecret(context, options)
  if (secret === undefined) {
    throw new UsageError('The secret of the webhook is needed: give --secret, or set PILOTWIRE_WEBHOOK_SECRET.')
  }
  const cases: JudgedCase[] = []
  const { now, random } = context
  const userAgent = `Pilotwire/${packageJson.version}`
  const parts = { url, secret, userAgent, now, newId: () => newUuid(now(), random) }
  const { passed } = await checkReceiver(parts, (one) => {
    cases.push(one)
    if (!json) context.out(line(one))
  })
  if (json) context.out(JSON.stringify({ passed, cases }))
  if (!passed) throw new ExitCode(EXIT.failure)
}

/** Every user of the machine can read arguments in the process list, but not the environment. */
export function secretFlag(purpose: string): readonly [flags: string, description: string] {
  return ['--secret <whsec_…>', `${purpose}; better given as PILOTWIRE_WEBHOOK_SECRET`]
}

export function webhookSecret(
  context: CliContext,
  { secret }: { readonly secret?: string | undefined },
): string | undefined {
  return secret ?? (context.environment.PILOTWIRE_WEBHOOK_SECRET || undefined)
}

export function requireAddress(name: string, text: string): void {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return
  throw new UsageError(`${name} ${text} is not an address such as http://localhost:3000/hook.`)
}

function line({ name, expected, passed, advice, status, error }: JudgedCase): string {
  const answered = `${status ?? error ?? 'unknown reason'}`
  if (passed) return `ok      ${name}: ${answered}`
  if (status === undefined) return `FAILED  ${name}: no answer (${answered}); start the receiver or correct its address`
  const requested = expected === 'accept' ? '200 to 299' : '400 to 499'
  return `FAILED  ${name}: ${answered} instead of ${requested}; ${advice}`
}
