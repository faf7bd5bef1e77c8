import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import packageJson from '../../../package.json' with { type: 'json' }
import { type ForwardedEvent, forwardEvents } from '../../webhooks/forward.ts'
import { createWebhookSecret } from '../../webhooks/sending/signature.ts'
import { visible } from '../visible-text.ts'
import { type ApiOptions, ofApi, serverOf } from './api/call-api.ts'
import type { CliContext } from './cli-context.ts'
import { declare } from './declare.ts'
import type { JsonOption } from './output/print.ts'
import { untilSignal } from './output/signals.ts'
import { addCheck, requireAddress, secretFlag, webhookSecret } from './webhooks-check.ts'

type ListenOptions = {
  forward: string
  secret?: string | undefined
} & ApiOptions &
  JsonOption

export function register(program: Command, context: CliContext): void {
  const webhooks = program.command('webhooks').description('signed events on this machine')
  declare(webhooks, context, {
    usage: 'listen',
    does: 'pull events from a server, sign them and post them to an address, without a tunnel',
    takes: (command) =>
      ofApi(command.requiredOption('--forward <url>', 'where to post, such as http://localhost:3000/hook')).option(
        ...secretFlag('sign with this one; default: a fresh one, printed at the start'),
      ),
    examples: [
      'pilotwire webhooks listen --forward http://localhost:3000/hook',
      'pilotwire webhooks listen --forward http://localhost:3000/hook --url https://charging.example.com --json',
    ],
    run: listen,
  })
  addCheck(webhooks, context)
}

async function listen(context: CliContext, options: ListenOptions): Promise<void> {
  requireAddress('--forward', options.forward)
  const { url: apiUrl, credential } = serverOf(context, options)
  const given = webhookSecret(context, options)
  const secret = given ?? createWebhookSecret(context.random)
  const stop = new AbortController()
  const { received, dispose } = untilSignal(context)
  void received.then(() => stop.abort())
  const note = given === undefined ? `Signed with ${secret}` : 'Signed with the given secret'
  context.note(`Events of ${apiUrl} go to ${options.forward}.`)
  context.note(`${note}. Ctrl-C ends.`)
  try {
    await forwardEvents({
      apiUrl,
      credential,
      forwardUrl: options.forward,
      secret,
      userAgent: `Pilotwire/${packageJson.version}`,
      from: context.now(),
      now: context.now,
      pause: (ms) => wait(ms, undefined, { signal: stop.signal }).catch(() => undefined),
      signal: stop.signal,
      forwarded: (event) => context.out(options.json ? JSON.stringify(event) : visible(line(event))),
      note: context.note,
    })
  } finally {
    dispose()
  }
}

function line(event: ForwardedEvent): string {
  const answer = `-> ${event.status ?? event.error ?? ''}`
  if (event.type !== undefined) return `${event.time}  ${event.type}  ${answer}`
  return `${event.time}  ${event.sessionId}  ${event.state.padEnd(10)} ${event.energyKwh.toFixed(3)} kWh  ${answer}`
}
