import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { testInstallation } from '../../../test/support/server/cli/testing.ts'
import { type Receiver, startReceiver } from '../../../test/support/webhooks/receiver.ts'
import { sign } from '../../webhooks/sending/signature.ts'

let hook: Receiver
const installation = testInstallation()
beforeEach(async () => {
  hook = await startReceiver()
})
afterEach(() => hook.close())
afterAll(() => installation.remove())

const check = (...args: string[]) => installation.cli(['webhooks', 'check', ...args])
const VARIABLE = 'PILOTWIRE_WEBHOOK_SECRET'

// HOOK-B3: webhooks check
it('says what a receiver that believes everything should do otherwise, and ends with 1', async () => {
  const { code, out } = await check(hook.url, '--secret', 'whsec_x')
  const lines = out.split('\n')
  expect([code, lines.map((line) => line.slice(0, 6))]).toEqual([
    1,
    [...Array<string>(5).fill('ok    '), ...Array<string>(3).fill('FAILED')],
  ])
  expect(lines.at(-1)).toBe(
    'FAILED  a signature of ten minutes ago: 204 instead of 400 to 499; refuse a Webhook-Timestamp that is more than five minutes old',
  )
})

it('prints one JSON text with --json, and why a receiver did not answer', async () => {
  await hook.close()
  const asText = await check(hook.url, '--secret', 'whsec_x')
  expect(asText.out).toContain('no answer (ECONNREFUSED); start the receiver')
  expect(asText.out).not.toContain('HMAC')
  const { code, out } = await check(hook.url, '--secret', 'whsec_x', '--json')
  const { passed, cases } = JSON.parse(out) as { passed: boolean; cases: object[] }
  expect([code, passed, cases.length]).toEqual([1, false, 8])
  expect(cases[0]).toEqual({
    name: 'a valid event',
    expected: 'accept',
    passed: false,
    error: 'ECONNREFUSED',
    advice: expect.stringContaining('whsec_ as the key'),
  })
  hook = await startReceiver()
})

it('needs an address and the secret: 2', async () => {
  const wrong = await check('ftp://x', '--secret', 'whsec_x')
  expect(wrong).toMatchObject({ code: 2, notes: expect.stringContaining('http://localhost:3000/hook') })
  const withoutSecret: readonly Readonly<Record<string, string>>[] = [{}, { [VARIABLE]: '' }]
  for (const environment of withoutSecret) {
    const { code, notes } = await installation.cli(['webhooks', 'check', hook.url], environment)
    expect([code, notes]).toEqual([2, expect.stringMatching(/--secret.*PILOTWIRE_WEBHOOK_SECRET/)])
  }
})

it('takes the secret from the environment, which no process list shows; the option goes first', async () => {
  const signatures = () =>
    hook.received.map(({ headers, body }) => {
      const [signature = ''] = headers['webhook-signature']?.split(',') ?? []
      return [signature, body, Number(headers['webhook-timestamp'])] as const
    })
  await installation.cli(['webhooks', 'check', hook.url], { [VARIABLE]: 'whsec_environment' })
  const [first = ['', '', 0] as const] = signatures()
  expect(first[0]).toBe(sign('whsec_environment', first[2], first[1]))
  await installation.cli(['webhooks', 'check', hook.url, '--secret', 'whsec_option'], { [VARIABLE]: 'whsec_other' })
  const [, , , , , , , , second = ['', '', 0] as const] = signatures()
  expect(second[0]).toBe(sign('whsec_option', second[2], second[1]))
})

it('the help of both commands names the variable', async () => {
  for (const command of ['check', 'listen']) {
    const { out } = await installation.cli(['webhooks', command, '--help'])
    expect(out.replaceAll(/\s+/g, ' ')).toContain('better given as PILOTWIRE_WEBHOOK_SECRET')
  }
})
