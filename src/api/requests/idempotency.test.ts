import { expect, it } from 'vitest'
import { limitsInMemory } from '../../limits/limits.ts'
import type { Principal } from '../access/access.ts'
import { type Answered, createIdempotency, type KeptAnswers } from './idempotency.ts'

const principal: Principal = { kind: 'credential', accountId: 'a', credentialId: 'k' }
const DAY_MS = 24 * 3600_000

const setup = () => {
  let now = 0
  let runs = 0
  const idempotency = createIdempotency(
    limitsInMemory(() => now),
    () => now,
  )
  const send = (key: string, body: unknown = {}, status = 201) =>
    idempotency.once({ key, principal, method: 'POST', path: '/x', body }, async () => {
      runs++
      return new Response(`run ${runs}`, { status, headers: { location: '/y' } })
    })
  return { send, runs: () => runs, wait: (ms: number) => (now += ms) }
}

it('HOOK-S5: status, headers and body of the first answer come again, for 24 hours', async () => {
  const { send, runs, wait } = setup()
  await send('k')
  wait(DAY_MS - 1)
  const again = await send('k')
  expect([again.status, again.headers.get('location'), await again.text()]).toEqual([201, '/y', 'run 1'])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  wait(1)
  expect((await send('k', { other: 1 })).headers.get('idempotent-replayed')).toBeNull()
  expect(runs()).toBe(2)
})

it('HOOK-S5: an answer that was kept comes again after a restart', async () => {
  const kept = new Map<string, Answered>()
  const store: KeptAnswers = {
    find: async (name) => kept.get(name),
    keep: async (name, answered) => {
      kept.set(name, answered)
    },
  }
  let now = 0
  const send = (body: unknown) =>
    createIdempotency(
      limitsInMemory(() => now),
      () => now,
      store,
    ).once({ key: 'k', principal, method: 'POST', path: '/x', body }, async () => new Response('run', { status: 201 }))
  await send({ a: 1 })
  expect((await send({ a: 1 })).headers.get('idempotent-replayed')).toBe('true')
  await expect(send({ a: 2 })).rejects.toMatchObject({ status: 422 })
  now = DAY_MS
  expect((await send({ a: 2 })).headers.get('idempotent-replayed')).toBeNull()
})

it('HOOK-S5: an attempt that failed or threw gives the key free', async () => {
  const { send, runs } = setup()
  await send('k', {}, 500)
  await send('k', {}, 409)
  await send('k')
  await send('k')
  expect(runs()).toBe(3)
})

it('HOOK-S5: member order does not matter, everything else does', async () => {
  const { send } = setup()
  await send('k', { a: 1, b: 2 })
  expect((await send('k', { b: 2, a: 1 })).headers.get('idempotent-replayed')).toBe('true')
  await expect(send('k', { a: 1 })).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})

it.each(['', ' ', 'ü', 'a b', 'x'.repeat(256)])('HOOK-S5: %j is no key', async (key) => {
  await expect(setup().send(key)).rejects.toMatchObject({ status: 400, code: 'invalid_idempotency_key' })
})

it('HOOK-S5: a flood of keys does not fill the memory: the oldest go first', async () => {
  const { send, runs } = setup()
  for (let i = 0; i < 10_001; i++) await send(`k${i}`)
  const before = runs()
  await send('k10000')
  expect(runs()).toBe(before)
  await send('k0')
  expect(runs()).toBe(before + 1)
})
