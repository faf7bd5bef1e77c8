/**
 * OIDC-U9: no text of a stranger costs more than in proportion to its length. `npm run bench -- parsers` says how many
 * milliseconds; here it is only asked whether twice the text costs twice or four times as much.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cost, costOf } from '../bench/parsers/cost.ts'
import { parsers } from '../bench/parsers/parsers.ts'
import { jsonBodies, patterns } from '../bench/parsers/patterns.ts'
import { type House, type Json, openHouse } from './house.ts'

/** What takes the square of 64 Ki steps takes seconds; less than this is not worth comparing. */
const ENOUGH_MS = 150
/** Between 2, which is linear, and 4, which is not. */
const MAX_GROWTH = 2.5

function isSuperLinear({ half, whole }: Cost): boolean {
  return whole > ENOUGH_MS && whole > MAX_GROWTH * half
}

async function costly(parse: (text: string) => unknown, texts: typeof patterns): Promise<readonly string[]> {
  const found: string[] = []
  for (const [name, pattern] of Object.entries(texts)) {
    const cost = await costOf(parse, pattern)
    // Once more: a garbage collection of everything else may have fallen into the first.
    if (isSuperLinear(cost) && isSuperLinear(await costOf(parse, pattern)))
      found.push(`${name}: ${JSON.stringify(cost)}`)
  }
  return found
}

it.each(Object.entries(parsers))(
  'OIDC-U9: twice the text costs %s no more than twice as much, whatever stands in it',
  async (_, parse) => expect(await costly(parse, { ...patterns, ...jsonBodies })).toEqual([]),
  60_000,
)

let house: House
let endpoints: readonly (readonly [method: string, path: string])[]
beforeAll(async () => {
  house = await openHouse({ PILOTWIRE_REGISTRATION_RATE: '0' })
  const { paths } = (await house.request('GET', '/openapi.json')).body as { paths: Record<string, Json> }
  endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => (operation as Json).requestBody !== undefined)
      .map(([method]) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'X')] as const),
  )
  await house.request('POST', '/2/evse-controllers', { id: 'X' })
})
afterAll(() => house.close())

const send = (method: string, path: string, type: string) => async (text: string) => {
  const headers = { 'content-type': type, authorization: `Bearer ${house.credential}` }
  const response = await fetch(house.url + path, { method, headers, body: text, redirect: 'manual' })
  await response.arrayBuffer()
  expect(response.status, `${method} ${path}`).toBeLessThan(500)
}

it('OIDC-U9: reads 64 KiB of JSON in time that grows with their length', async () => {
  expect(endpoints.length).toBeGreaterThan(10)
  for (const [method, path] of endpoints) {
    expect([method, path, await costly(send(method, path, 'application/json'), jsonBodies)]).toEqual([method, path, []])
  }
}, 400_000)

it('OIDC-U9: reads 64 KiB of a form in time that grows with their length', async () => {
  const names = ['letters', 'ampersands', 'the same parameter', 'different parameters', 'broken escapes'] as const
  const forms = Object.fromEntries(names.map((name) => [name, patterns[name] ?? String]))
  const paths = ['token', 'revoke', 'introspect', 'userinfo', 'register'].map((name) => `/1/oauth/service/${name}`)
  for (const path of [...paths, '/dashboard/oauth/authorize', '/dashboard/login', '/dashboard/oauth/logout']) {
    expect([path, await costly(send('POST', path, 'application/x-www-form-urlencoded'), forms)]).toEqual([path, []])
  }
})
