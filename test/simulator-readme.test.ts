/** What simulator/README.md shows is run as it stands there, in a shell, against a whole server. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { freePort } from './free-port.ts'
import { openHouse } from './house.ts'

const readme = readFileSync('simulator/README.md', 'utf8')
const blocksOf = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block)
const lines = blocksOf('sh').flatMap((block) => block.trim().split('\n'))
/** These go on until somebody ends them. */
const isEndless = (line: string) => /--(?:ui|stay)\b/.test(line)

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-readme-'))

const house = await openHouse({
  PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1',
  // The addresses that a partner gets must be those of the server.
  PILOTWIRE_PORT: String(await freePort()),
  PILOTWIRE_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
})
const bin = join(folder, 'bin')
mkdirSync(bin)
writeFileSync(join(bin, 'pilotwire'), `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/main.js')}' "$@"\n`)
chmodSync(join(bin, 'pilotwire'), 0o755)
const environment = {
  PATH: `${bin}:${process.env.PATH ?? ''}`,
  PILOTWIRE_PORT: new URL(house.url).port,
  PILOTWIRE_API_CREDENTIAL: house.credential,
  PILOTWIRE_DATABASE_URL: `file:${house.database}`,
}
afterAll(async () => {
  await house.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (line: string) => promisify(execFile)('sh', ['-c', line], { cwd: folder, env: environment })

it('SIM-A7: has examples', () => {
  expect(lines.length).toBeGreaterThan(10)
  expect(blocksOf('yaml').length).toBeGreaterThan(0)
})

it.each(lines.filter((line) => !isEndless(line)))('SIM-A7: %s', async (line) => {
  const { stdout } = await run(line)
  if (line.includes('--json')) expect(JSON.parse(stdout)).toMatchObject({ ok: true })
})

it.each(lines.filter(isEndless))('SIM-A7: %s', async (line) => {
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const said: string[] = []
  const ready = new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (text) => {
        said.push(text)
        if (/waiting for orders|Ctrl-C ends it/.test(text)) done()
      })
    }
  })
  await Promise.race([ready, ended])
  child.kill('SIGINT')
  const [code] = (await ended) as [number | null]
  // The port of the page may be taken on this machine.
  if (code === 0) return
  expect(said.join('\n')).toContain('port 8090 is taken')
})

it.each(blocksOf('yaml'))('SIM-A7: the scenario of the description', async (yaml) => {
  writeFileSync(join(folder, 'described.yaml'), yaml)
  const line = 'pilotwire simulate --scenario described.yaml --speed max --ocpp 1.6 --id DESCRIBED --json'
  const { stdout } = await run(line)
  expect(JSON.parse(stdout)).toMatchObject({ ok: true })
})
