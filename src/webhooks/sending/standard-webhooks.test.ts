import { createHmac, timingSafeEqual } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { START, testDeliveries } from '../../../test/support/webhooks/delivery.ts'
import { type Received, type Receiver, startReceiver } from '../../../test/support/webhooks/receiver.ts'
import { createStandardSecret, standardSignatures } from './signature.ts'

/** A receiver's side, written from the specification and not from our code. Returns the id by which to deduplicate. */
function verified(secret: string, { headers, body }: Received, nowSeconds: number): string | undefined {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': list = '' } = headers
  if (id === '' || id.includes('.') || !/^\d+$/.test(timestamp)) return undefined
  if (Math.abs(nowSeconds - Number(timestamp)) > 300) return undefined
  const [prefix, encoded = ''] = secret.split('_')
  if (prefix !== 'whsec' || !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) {
    return undefined
  }
  const mac = createHmac('sha256', Buffer.from(encoded, 'base64'))
  mac.update(id).update('.').update(timestamp).update('.').update(body)
  const expected = mac.digest()
  const fits = list.split(' ').some((versioned) => {
    const [version, signature = ''] = versioned.split(',')
    const given = Buffer.from(signature, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return fits ? id : undefined
}

const OLD = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const NEW = `whsec_${Buffer.alloc(24, 2).toString('base64')}`
let house: Awaited<ReturnType<typeof testDeliveries>>
let hook: Receiver

beforeEach(async () => {
  house = await testDeliveries()
  hook = await startReceiver()
})
afterEach(async () => {
  await house.close()
  await hook.close()
})

const subscribe = (...secrets: readonly string[]) =>
  house.subscribe(hook.url, {
    signatureScheme: 'standard-webhooks',
    secrets: secrets.map((secret) => ({ sealed: house.box.seal(secret, 'wh_1'), expiresAt: START + 10_000 })),
  })
const received = (count: number) =>
  vi.waitFor(() => expect(hook.received).toHaveLength(count), { timeout: 60_000, interval: 5 })
const ids = (secret: string) => hook.received.map((one) => verified(secret, one, house.clock.now() / 1000))

it('HOOK-W8: signs the vector that its libraries publish', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  expect(standardSignatures([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

it('HOOK-W8: new secrets are padded base64 of 32 bytes, whatever the bytes', () => {
  const secret = createStandardSecret((bytes) => Buffer.alloc(bytes, 0xff))
  expect(secret).toBe(`whsec_${'/'.repeat(42)}8=`)
})

it('HOOK-W8: a receiver that follows the specification believes each attempt, with one id for all of an event', async () => {
  await subscribe(NEW)
  hook.respond = (response) => response.writeHead(hook.received.length < 2 ? 500 : 204).end()
  house.start()
  const [event] = await house.emit({})
  await received(1)
  await expect.poll(async () => (await house.deliveries('wh_1'))[0]?.attempts).toBe(1)
  house.clock.advance(6000)
  await received(2)
  expect(ids(NEW)).toEqual([event?.id, event?.id])
  expect(ids(OLD)).toEqual([undefined, undefined])
  const [first, second] = hook.received.map(({ headers }) => headers)
  expect(first?.['webhook-signature']).not.toBe(second?.['webhook-signature'])
  expect(second).toMatchObject({ 'webhook-event': 'session.updated', 'webhook-attempt': '2' })
})

it('HOOK-W8, HOOK-W3: while a rotation overlaps either secret verifies', async () => {
  await subscribe(NEW, OLD)
  house.start()
  const [event] = await house.emit({})
  await received(1)
  expect([...ids(NEW), ...ids(OLD)]).toEqual([event?.id, event?.id])
  expect(hook.received[0]?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
})

it('HOOK-W8: the log of attempts keeps no signature', async () => {
  const id = await subscribe(NEW)
  house.start()
  await house.emit({})
  await received(1)
  await expect.poll(async () => (await house.deliveries(id))[0]?.state).toBe('succeeded')
  const log = await house.reads.findDelivery(id, (await house.deliveries(id))[0]?.id ?? '')
  expect(log?.attempts).toHaveLength(1)
  expect(JSON.stringify(log)).not.toContain('v1,')
})
