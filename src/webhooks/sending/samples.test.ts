/** The verifiers of docs/webhooks.md, run as they are printed there. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import { afterAll, expect, it } from 'vitest'
import { sign } from './signature.ts'

const text = readFileSync('docs/webhooks.md', 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'pilotwire-samples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function sample(language: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(text) ?? []
  if (code === undefined) throw new Error(`docs/webhooks.md has no sample in ${language}.`)
  return code
}

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'
const TIMESTAMP = '1785456000'
const BODY = '{"specversion":"1.0","id":"0197f3c2-5a10-7abc-8def-0123456789ab","type":"session.updated"}'
const GOOD = '44cfcd5a29a095c0b5b1c79ae11048d2a09cec54a66de7a4afaec4d7bbd2e0f9'
const OTHER = sign('whsec_other', Number(TIMESTAMP), BODY)
const NOW = Number(TIMESTAMP)

/** Name, timestamp, signatures, body, now in seconds, expected. */
const cases: readonly (readonly [string, string, string, string, number, boolean])[] = [
  ['the published vector', TIMESTAMP, GOOD, BODY, NOW, true],
  ['match first', TIMESTAMP, `${GOOD},${OTHER}`, BODY, NOW, true],
  ['match last', TIMESTAMP, `${OTHER},${GOOD}`, BODY, NOW, true],
  ['empty entry', TIMESTAMP, `,${GOOD}`, BODY, NOW, true],
  ['no match', TIMESTAMP, OTHER, BODY, NOW, false],
  ['another body', TIMESTAMP, GOOD, `${BODY} `, NOW, false],
  ['non-ASCII body', TIMESTAMP, sign(SECRET, NOW, '{"a":"ü⚡","n":1.0}'), '{"a":"ü⚡","n":1.0}', NOW, true],
  ['empty', TIMESTAMP, '', BODY, NOW, false],
  ['commas only', TIMESTAMP, ',', BODY, NOW, false],
  ['too short', TIMESTAMP, GOOD.slice(2), BODY, NOW, false],
  ['too long', TIMESTAMP, `${GOOD}00`, BODY, NOW, false],
  ['not hex', TIMESTAMP, `${'z'.repeat(64)}`, BODY, NOW, false],
  ['not ASCII', TIMESTAMP, 'ü'.repeat(64), BODY, NOW, false],
  ['stale', TIMESTAMP, GOOD, BODY, NOW + 301, false],
  ['just fresh', TIMESTAMP, GOOD, BODY, NOW + 300, true],
  ['from the future', TIMESTAMP, GOOD, BODY, NOW - 301, false],
  ['timestamp not a number', 'now', GOOD, BODY, NOW, false],
]

// HOOK-W3, HOOK-W4: the verifiers of the documentation
it('TypeScript', async () => {
  const file = join(folder, 'verify.mjs')
  writeFileSync(file, transformSync(sample('ts'), { loader: 'ts' }).code)
  const { verify } = (await import(pathToFileURL(file).href)) as {
    verify: (...args: [string, string, string, Buffer, number]) => boolean
  }
  for (const [name, timestamp, signatures, body, now, expected] of cases) {
    expect([name, verify(SECRET, timestamp, signatures, Buffer.from(body), now * 1000)]).toEqual([name, expected])
  }
})

it.skipIf(!hasPython())('Python', () => {
  const program = `${sample('python')}
import json, sys
for name, timestamp, signatures, body, now, expected in json.loads(sys.stdin.buffer.read()):
    assert verify(${JSON.stringify(SECRET)}, timestamp, signatures, body.encode(), now) == expected, name
print("ok")
`
  const file = join(folder, 'verify.py')
  writeFileSync(file, program)
  expect(execFileSync('python3', [file], { input: JSON.stringify(cases) }).toString()).toBe('ok\n')
})

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
