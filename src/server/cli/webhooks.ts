import { setTimeout as wait } from 'node:timers/promises'
import packageJson from '../../../package.json' with { type: 'json' }
import { newUuid } from '../../domain/message-log/log-id.ts'
import { checkReceiver, type JudgedCase } from '../../webhooks/conformance.ts'
import { type ForwardedEvent, forwardEvents } from '../../webhooks/forward.ts'
import { createWebhookSecret } from '../../webhooks/sending/signature.ts'
import { visible } from '../visible-text.ts'
import { type ApiOptions, serverOf } from './call-api.ts'
import { type CliContext, EXIT, UsageError } from './cli-context.ts'
import { commandGroup, OF_SERVER, REQUIRED } from './declare.ts'
import { ExitCode, type JsonOption } from './output/print.ts'
import { untilSignal } from './output/signals.ts'

type ListenOptions = {
  forward: string
  secret?: string | undefined
} & ApiOptions &
  JsonOption

/** Every user of the machine can read arguments in the process list, but not the environment. */
const secretFlag = (purpose: string) =>
  ['--secret <whsec_…>', `${purpose}; better given as PILOTWIRE_WEBHOOK_SECRET`] as const

export const register = commandGroup('webhooks', 'signed events on this machine', [
  {
    usage: 'listen',
    does: 'pull events from a server, sign them and post them to an address, without a tunnel',
    takes: [
      ['--forward <url>', 'where to post, such as http://localhost:3000/hook', REQUIRED],
      ...OF_SERVER,
      secretFlag('sign with this one; default: a fresh one, printed at the start'),
    ],
    examples: [
      'pilotwire webhooks listen --forward http://localhost:3000/hook',
      'pilotwire webhooks listen --forward http://localhost:3000/hook --url https://charging.example.com --json',
    ],
    run: listen,
  },
  {
    usage: 'check',
    does: 'send a receiver good and bad events, and say what it should do otherwise',
    takes: [
      ['<url>', 'the receiver, such as http://localhost:3000/hook'],
      secretFlag('the secret that the receiver verifies with'),
    ],
    examples: ['pilotwire webhooks check http://localhost:3000/hook'],
    run: check,
  },
])

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

type CheckOptions = { secret?: string | undefined } & JsonOption

/** HOOK-B3. */
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
    if (!json) context.out(caseLine(one))
  })
  if (json) context.out(JSON.stringify({ passed, cases }))
  if (!passed) throw new ExitCode(EXIT.failure)
}

function webhookSecret(context: CliContext, { secret }: { readonly secret?: string | undefined }): string | undefined {
  return secret ?? (context.environment.PILOTWIRE_WEBHOOK_SECRET || undefined)
}

function requireAddress(name: string, text: string): void {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return
  throw new UsageError(`${name} ${text} is not an address such as http://localhost:3000/hook.`)
}

function caseLine({ name, expected, passed, advice, status, error }: JudgedCase): string {
  const answered = `${status ?? error ?? 'unknown reason'}`
  if (passed) return `ok      ${name}: ${answered}`
  if (status === undefined) return `FAILED  ${name}: no answer (${answered}); start the receiver or correct its address`
  const requested = expected === 'accept' ? '200 to 299' : '400 to 499'
  return `FAILED  ${name}: ${answered} instead of ${requested}; ${advice}`
}
