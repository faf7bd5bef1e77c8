/** The container without an engine: what its files say, and the steps that they consist of, carried out here. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freePort } from './free-port.ts'
import { until } from './house.ts'

// Thousands of files are copied; a busy machine takes its time for them.

const DOCKERFILE = readFileSync('deploy/Dockerfile', 'utf8')
const NO_USER = 65_534
const isRoot = process.getuid?.() === 0
const instructions = DOCKERFILE.split('\n').filter((line) => /^[A-Z]+ /.test(line))
/** Of the last stage. */
const image = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
const of = (name: string): readonly string[] =>
  image.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

describe('SERVER-E1: the image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pilotwire-container-'))
  const app = join(folder, 'app')
  beforeAll(() => {
    execFileSync(process.execPath, ['deploy/container/assemble.mjs', app])
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is made in two stages; the second one compiles nothing, is not root, has a volume, a port and a health check', () => {
    expect(instructions.filter((line) => line.startsWith('FROM '))).toHaveLength(2)
    expect(of('FROM')).toEqual([expect.stringContaining('-slim')])
    expect(of('RUN').join()).not.toMatch(/npm|apt|gcc|make/)
    expect(of('USER')).toEqual(['node'])
    expect([of('VOLUME'), of('EXPOSE'), of('HEALTHCHECK').length]).toEqual([['/data'], ['8080'], 1])
  })

  it('copies from the sources only what exists, and leaves out what is private', () => {
    for (const line of instructions.filter((one) => /^COPY (?!--from|\. )/.test(one))) {
      const names = line.split(' ').slice(1, -1)
      expect(names.filter((name) => !existsSync(name))).toEqual([])
    }
    const kept = readFileSync('.dockerignore', 'utf8').split('\n')
    expect(kept).toContain('*')
    const named = kept.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(named.filter((name) => !existsSync(name))).toEqual([])
    for (const secret of ['data', '.env', '.git', 'node_modules']) expect(named).not.toContain(secret)
  })

  it('holds the modules of the program and none that builds or tests it', () => {
    const modules = readdirSync(join(app, 'node_modules'))
    for (const name of ['better-sqlite3', 'hono', 'ws']) expect(modules).toContain(name)
    for (const name of ['typescript', 'vitest', 'esbuild', 'drizzle-kit', 'playwright-core']) {
      expect(modules).not.toContain(name)
    }
    expect(readdirSync(join(app, 'node_modules/better-sqlite3'))).not.toContain('deps')
    expect(readdirSync(join(app, 'node_modules/better-sqlite3/build/Release'))).toEqual(['better_sqlite3.node'])
    expect(existsSync(join(app, 'dist/bench.js'))).toBe(false)
  })

  it('starts with the image’s own settings as an ordinary user, is healthy, keeps its secrets out of its log, and ends on SIGTERM', async () => {
    const data = join(folder, 'data')
    mkdirSync(data, { mode: 0o700 })
    if (isRoot) for (const path of [folder, data]) chownSync(path, NO_USER, NO_USER)
    const variables = of('ENV')
      .join(' ')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string])
    const port = String(await freePort())
    const env = {
      PATH: process.env.PATH,
      ...Object.fromEntries(variables.map(([name, value]) => [name, value.replace('/data', data)])),
      PILOTWIRE_PORT: port,
    }
    const user = isRoot ? { uid: NO_USER, gid: NO_USER } : {}
    const [command = ''] = JSON.parse(of('CMD')[0] ?? '[]') as string[]
    const server = spawn(join(app, 'dist/main.js'), [command], { cwd: data, env, ...user })
    let log = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()))
    const ended = once(server, 'exit')
    await until(() => log.includes('mode: '))
    const health = async (): Promise<unknown> => {
      const [, check = ''] = /"(\/app\/[^"]+)"\]/.exec(of('HEALTHCHECK')[0] ?? '') ?? []
      const checked = spawn(process.execPath, [check.replace('/app', app)], { env, ...user })
      return (await once(checked, 'exit'))[0]
    }
    await until(() => log.includes('Pilotwire listens on'))
    expect(await health()).toBe(0)
    const secrets = readFileSync(join(data, 'pilotwire.db.first-start'), 'utf8')
    expect(secrets).toContain('pwk_')
    expect(log).toContain('pilotwire.db.first-start')
    expect(log).not.toContain('pwk_')
    server.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    expect(await health()).toBe(1)
  })
})

describe('SERVER-E1: the compose files', () => {
  const settings = new Set(readFileSync('.env.example', 'utf8').match(/PILOTWIRE_[A-Z0-9_]+/g))

  it.each(['deploy/compose.yaml', 'deploy/compose.postgres.yaml', 'deploy/compose.cluster.yaml'])(
    '%s names what exists',
    (file) => {
      const text = readFileSync(file, 'utf8')
      const { services, volumes } = parse(text, { merge: true }) as Compose
      for (const [name, { build, volumes: used = [], depends_on = [], environment = {} }] of Object.entries(services)) {
        if (build) expect(existsSync(join('deploy', build.context, build.dockerfile)), name).toBe(true)
        for (const [source = ''] of used.map((volume) => volume.split(':'))) {
          expect(source.startsWith('.') ? existsSync(join('deploy', source)) : source in volumes, source).toBe(true)
        }
        for (const other of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)) {
          expect(services).toHaveProperty(other)
        }
        const own = Object.keys(environment).filter((variable) => variable.startsWith('PILOTWIRE_'))
        expect(own.filter((variable) => !settings.has(variable))).toEqual([])
      }
      // Nothing is reachable from outside the machine unless somebody says so.
      for (const { ports = [] } of Object.values(services)) {
        expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
      }
    },
  )

  it('STORE-N9: each node of the cluster has a name of its own, and all of them the same settings', () => {
    const { services } = parse(readFileSync('deploy/compose.cluster.yaml', 'utf8'), { merge: true }) as Compose
    const nodes = Object.entries(services).filter(([, { build }]) => build)
    const named = nodes.map(([name, { environment = {} }]) => [name, environment.PILOTWIRE_NODE_NAME])
    expect(named).toEqual(['pilotwire-1', 'pilotwire-2', 'pilotwire-3'].map((name) => [name, name]))
    const others = nodes.map(([, { environment }]) => ({ ...environment, PILOTWIRE_NODE_NAME: undefined }))
    expect(new Set(others.map((settings) => JSON.stringify(settings))).size).toBe(1)
  })

  it('STORE-N9: the nodes of the cluster trust the balancer, and no other address of its network', () => {
    const filled = readFileSync('deploy/compose.cluster.yaml', 'utf8').replace(/\$\{\w+:-([^}]*)\}/g, '$1')
    const { services } = parse(filled, { merge: true }) as Compose
    const trusted = Object.values(services).flatMap(
      ({ environment = {} }) => environment.PILOTWIRE_TRUSTED_PROXIES ?? [],
    )
    const address = services.balancer?.networks?.default?.ipv4_address
    expect(new Set(trusted)).toEqual(new Set([`${address}/32`]))
  })

  it.each(['deploy/compose.postgres.yaml', 'deploy/compose.cluster.yaml'])('no secret of %s has a default', (file) => {
    const text = readFileSync(file, 'utf8')
    for (const name of ['POSTGRES_PASSWORD', 'PILOTWIRE_SECRET_KEY', 'PILOTWIRE_ADMIN_PASSWORD']) {
      expect(text).toContain(`\${${name}:?`)
      expect(text).not.toContain(`\${${name}:-`)
    }
  })
})

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>
  readonly environment?: Readonly<Record<string, string>>
  readonly networks?: { readonly default?: { readonly ipv4_address?: string } }
}
