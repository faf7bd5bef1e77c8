import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { fixedDocument } from './fixed-document.ts'

const TEXT = 'ä'.repeat(5000)

function asking(headers: Record<string, string> = {}): Parameters<ReturnType<typeof fixedDocument>>[0] {
  return { header: (name) => headers[name] }
}

it('OIDC-U9: is rendered once, however many ask at once', async () => {
  let rendered = 0
  const document = fixedDocument(
    () => {
      rendered++
      return TEXT
    },
    { 'content-type': 'text/plain' },
  )
  const answers = await Promise.all(Array.from({ length: 50 }, () => document(asking())))
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array(50).fill(TEXT))
  expect(rendered).toBe(1)
})

it('OIDC-U9: who has it is told so, whichever of the two forms it is', async () => {
  const document = fixedDocument(() => TEXT, { 'content-type': 'text/plain', 'cache-control': 'public' })
  const tags: string[] = []
  for (const encoding of ['identity', 'gzip']) {
    const first = await document(asking({ 'accept-encoding': encoding }))
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    tags.push(etag)
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await document(asking({ 'accept-encoding': encoding, 'if-none-match': known }))
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
      expect([again.headers.get('vary'), again.headers.get('cache-control')]).toEqual(['Accept-Encoding', 'public'])
    }
    expect((await document(asking({ 'accept-encoding': encoding, 'if-none-match': '"other"' }))).status).toBe(200)
  }
  expect(tags[0]).not.toBe(tags[1])
})

it.each([
  ['gzip', true],
  ['br;q=1.0, GZIP;q=0.5', true],
  ['*', true],
  ['gzip;q=0', false],
  ['gzip;q=0.000, *', false],
  ['*;q=0', false],
  ['identity', false],
  ['', false],
  [undefined, false],
])('RFC 9110 §12.5.3: accept-encoding %j: compressed %s', async (encoding, compressed) => {
  const document = fixedDocument(() => TEXT, { 'content-type': 'text/plain' })
  const answer = await document(asking(encoding === undefined ? {} : { 'accept-encoding': encoding }))
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-encoding')).toBe(compressed ? 'gzip' : null)
  expect((compressed ? gunzipSync(bytes) : bytes).toString()).toBe(TEXT)
})

it('a short one is not compressed', async () => {
  const answer = await fixedDocument(() => 'short', {})(asking({ 'accept-encoding': 'gzip' }))
  expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([null, 'short'])
})
