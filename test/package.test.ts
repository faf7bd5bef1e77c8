/**
 * The package as others get it: packed, installed into an empty folder, started by its name. Nothing is downloaded: the
 * folder is given links to the modules that are here, and npm must find them sufficient.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'

interface Package {
  readonly dependencies: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
}

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-package-'))
const installed = join(folder, 'node_modules/pilotwire')
const { dependencies, exports } = JSON.parse(readFileSync('package.json', 'utf8')) as Package
const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', [...args, '--offline', '--cache', join(folder, 'cache')], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  })

beforeAll(() => {
  // What `npm pack` runs by itself, but for the bundle: other tests are running that one.
  execFileSync(process.execPath, ['scripts/build-types.mjs'], { stdio: 'inherit' })
  npm(['pack', '--ignore-scripts', '--pack-destination', folder], '.')
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(resolve('node_modules', name), link)
  }
  writeFileSync(join(folder, 'package.json'), '{ "name": "somebody", "private": true }')
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', `./${archive}`], folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('SERVER-E6: the packed package has what its exports name, its migrations, and no source or test', () => {
  const named = Object.values(exports).flatMap((to) => (typeof to === 'string' ? [to] : [to.types, to.default]))
  expect(named.filter((path) => !existsSync(join(installed, path)))).toEqual([])
  expect(existsSync(join(installed, 'drizzle/meta/_journal.json'))).toBe(true)
  for (const name of ['src', 'test', 'bench', 'data']) expect(readdirSync(installed)).not.toContain(name)
})

it('SERVER-E6: the packed package has the pages that its README names', () => {
  const links = ['README.md', 'simulator/README.md'].flatMap((page) =>
    [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = '']) =>
      join(installed, dirname(page), to),
    ),
  )
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((path) => !existsSync(path))).toEqual([])
})

it('SIM-B3: installed without scripts, and so without a binary of SQLite, it still simulates', () => {
  const alone = mkdtempSync(join(tmpdir(), 'pilotwire-alone-'))
  for (const name of Object.keys(dependencies).filter((other) => other !== 'better-sqlite3')) {
    const link = join(alone, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(resolve('node_modules', name), link)
  }
  const source = resolve('node_modules/better-sqlite3')
  cpSync(source, join(alone, 'node_modules/better-sqlite3'), {
    recursive: true,
    filter: (path) => !path.startsWith(join(source, 'build')) && !path.startsWith(join(source, 'deps')),
  })
  cpSync(installed, join(alone, 'node_modules/pilotwire'), { recursive: true, dereference: true })
  const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: alone, encoding: 'utf8' })
  expect(node('--input-type=module', '-e', "console.log(Object.keys(await import('pilotwire/simulator')))")).toContain(
    'ChargePoint',
  )
  expect(node('node_modules/pilotwire/dist/main.js', 'simulate', '--list-scenarios')).toContain('power-cut')
  rmSync(alone, { recursive: true, force: true })
})

it('SERVER-E6: what it runs after its installation finds its modules', () => {
  execFileSync(process.execPath, ['scripts/repair-sqlite.mjs'], { cwd: installed, stdio: 'pipe' })
})

it('SERVER-E6: npx pilotwire serve serves', async () => {
  // A group of its own: npx stands between us and the server.
  const child = spawn('npx', ['--offline', '--no-install', 'pilotwire', 'serve', '--json'], {
    cwd: folder,
    detached: true,
    env: { PATH: process.env.PATH, HOME: folder, PILOTWIRE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { url, firstStart } = JSON.parse(line) as { url: string; firstStart: { credential: string } }
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const headers = { authorization: `Bearer ${firstStart.credential}` }
    expect((await fetch(`${url}/2/sessions`, { headers })).status).toBe(200)
    expect(existsSync(join(folder, 'data/pilotwire.db'))).toBe(true)
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    await ended
  }
})
