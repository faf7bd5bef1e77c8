import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCredential } from '../domain/accounts/credentials.ts'
import { newSecret } from '../oidc/oidc-secrets.ts'
import { createStandardSecret, createWebhookSecret } from '../webhooks/sending/signature.ts'
import { createLog } from './log.ts'

function logged(readable: boolean, write: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  write(createLog({ level: 'info', readable, stream: { write: (line) => (text += line) } }))
  return text
}

const SOURCES = join(import.meta.dirname, '..')

it.each([true, false])('OIDC-X3: fields and text that hold secrets are hidden (readable: %s)', (readable) => {
  const text = logged(readable, (log) => {
    log.info(
      { authorization: 'Basic RVYtMTpodW50ZXIy', password: 'hunter2', req: { headers: { cookie: 'sid=9' } } },
      'x',
    )
    log.warn({ detail: 'sent Bearer pwa_abcdefghijkl and whsec_mnopqrstuv' }, 'header was Basic RVYtMTpodW50ZXIy')
    log.error({ err: new Error('refused pwk_1_supersecret') }, 'failed')
  })
  expect(text).not.toMatch(/hunter2|RVYtMTpodW50ZXIy|sid=9|abcdefghijkl|mnopqrstuv|supersecret/)
  expect(text).toContain('pwk_[hidden]')
})

it.each([true, false])('OIDC-X3, OIDC-G7: every secret of ours is hidden anywhere (readable: %s)', (readable) => {
  const secrets = [
    ...(['access', 'refresh', 'clientSecret', 'registration'] as const).map((kind) => newSecret(kind, randomBytes)),
    createCredential(randomBytes, { accountId: 'A', name: 'x', createdAt: 0 }).text,
    createWebhookSecret(randomBytes),
    createStandardSecret(randomBytes),
    createStandardSecret((bytes) => Buffer.alloc(bytes, 0xfb)),
  ]
  for (const secret of secrets) {
    const text = logged(readable, (log) => log.info({ detail: `a\n${secret}\tb`, [`x ${secret}`]: 1 }, `%20${secret}`))
    const random = secret.slice(secret.indexOf('_') + 1)
    for (let at = 0; at + 12 <= random.length; at++) expect(text).not.toContain(random.slice(at, at + 12))
  }
  const header = logged(readable, (log) => log.info({ detail: 'a\nbearer abcdefghijkl' }, 'x'))
  expect(header).not.toContain('abcdefghijkl')
})

it('OIDC-X3: nothing but the one declaration says how a secret begins', () => {
  const spelled = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/test(ing)?(-rows)?\.tsx?$/.test(file))
    .filter((file) =>
      /['`/^](pw[a-z]|whsec)_(?!…)/.test(
        readFileSync(join(SOURCES, file), 'utf8').replaceAll(/^ *(\/?\*|\/\/).*$/gm, ''),
      ),
    )
  expect(spelled).toEqual(['domain/accounts/credentials.ts'])
})

const hostile = 'm1\u001b[2K\r\n12:00:00.000 INFO  forged\u0085\u2028\u202e\u009b31m\u007f'
it.each([true, false])('a message id forges no line and steers no terminal (readable: %s)', (readable) => {
  const text = logged(readable, (log) => {
    log.info({ messageId: hostile, [hostile]: { deep: [hostile] } }, `Refused ${hostile}`)
  })
  expect(text.match(/\n/g)).toHaveLength(1)
  expect(text.trimEnd()).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u)
  expect(text).toContain('\\u001b[2K')
  if (!readable) expect(JSON.parse(text)).toMatchObject({ messageId: hostile, msg: `Refused ${hostile}` })
})

it('a text from outside does not pass for further fields', () => {
  expect(logged(true, (log) => log.info({ chargePointId: 'EV-1 status=200', reason: 'no such one' }, 'x'))).toContain(
    'x chargePointId="EV-1 status=200" reason=no such one\n',
  )
})

it('the message of an error, and of its cause, begin no line of the log', () => {
  const text = logged(true, (log) => {
    log.error({ err: new Error(hostile, { cause: new Error(`why\n12:00:00.000 INFO  forged\u001b`) }) }, 'x')
  })
  expect(text).not.toMatch(/^12:00/m)
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  const [, ...following] = text.split('\n')
  for (const line of following) expect(line).toMatch(/^( |Error|$)/)
  expect(text).toContain('log.test.ts')
})

it('writes JSON for machines and one short line for people', () => {
  expect(JSON.parse(logged(false, (log) => log.info({ chargePointId: 'EV-1' }, 'Booted')))).toMatchObject({
    chargePointId: 'EV-1',
    msg: 'Booted',
  })
  expect(logged(true, (log) => log.warn({ chargePointId: 'EV-1', status: 401 }, 'Refused'))).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} WARN {2}Refused chargePointId=EV-1 status=401\n$/,
  )
})

it('keeps the stack of an error', () => {
  expect(logged(true, (log) => log.error({ err: new Error('broken') }, 'x'))).toContain('log.test.ts')
})
