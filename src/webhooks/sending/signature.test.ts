import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { sealedBox } from '../../secrets/sealed-box.ts'
import { createWebhookSecret, sign, signatureHeader } from './signature.ts'
import { rotated, signingSecrets, validSecrets } from './webhook-secrets.ts'

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'
const TIMESTAMP = 1_785_456_000
const BODY = '{"specversion":"1.0","id":"0197f3c2-5a10-7abc-8def-0123456789ab","type":"session.updated"}'
const SIGNATURE = '44cfcd5a29a095c0b5b1c79ae11048d2a09cec54a66de7a4afaec4d7bbd2e0f9'

it('HOOK-W4: signatures: the published vector, keyed with the whole secret text', () => {
  expect(createWebhookSecret(() => Buffer.from([...Array(32).keys()]))).toBe(SECRET)
  expect(sign(SECRET, TIMESTAMP, BODY)).toBe(SIGNATURE)
})

it('HOOK-W3: signatures: one value of 64 hex characters, two while secrets overlap, newest first', () => {
  expect(signatureHeader([SECRET], TIMESTAMP, BODY)).toBe(SIGNATURE)
  const both = signatureHeader(['whsec_new', SECRET], TIMESTAMP, BODY).split(',')
  expect(both).toEqual([sign('whsec_new', TIMESTAMP, BODY), SIGNATURE])
  expect(both[0]).toMatch(/^[0-9a-f]{64}$/)
})

it('HOOK-W3, HOOK-W5: signatures: signs the bytes as they are, whatever JSON would make of them', () => {
  const odd = '{"z":1.0,"a":"Zürich ⚡"}'
  expect(sign(SECRET, TIMESTAMP, odd)).not.toBe(sign(SECRET, TIMESTAMP, JSON.stringify(JSON.parse(odd))))
})

const box = sealedBox(Buffer.alloc(32, 7), 'webhookSecrets', randomBytes)

it('HOOK-S1: a secret from before the secret key was lost does not stand in the way of the one after it', () => {
  const lost = sealedBox(Buffer.alloc(32, 8), 'webhookSecrets', randomBytes).seal('whsec_lost', 'wh_1')
  const secrets = [{ sealed: box.seal('whsec_new', 'wh_1') }, { sealed: lost, expiresAt: 1000 }]
  expect(signingSecrets(box, secrets, 'wh_1', 0)).toEqual(['whsec_new'])
  expect(() => signingSecrets(box, [{ sealed: lost }], 'wh_1', 0)).toThrow('another secret key')
})

it('HOOK-S1: a rotation keeps at most two valid, and one with an overlap of 0', () => {
  const once = rotated([{ sealed: 'a' }], { sealed: 'b', at: 1000, overlapMs: 500 })
  expect(once).toEqual([{ sealed: 'b' }, { sealed: 'a', expiresAt: 1500 }])
  expect(rotated(once, { sealed: 'c', at: 1200, overlapMs: 500 })).toEqual([
    { sealed: 'c' },
    { sealed: 'b', expiresAt: 1700 },
  ])
  expect(rotated(once, { sealed: 'c', at: 1200, overlapMs: 0 })).toEqual([{ sealed: 'c' }])
  expect(validSecrets(once, 1499)).toHaveLength(2)
  expect(validSecrets(once, 1500)).toEqual([{ sealed: 'b' }])
})
