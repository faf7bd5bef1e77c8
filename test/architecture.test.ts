import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * The table of ARCHITECTURE.md: a room and the rooms that it may import, type imports included. A room stands below all
 * that import it, so the table has no cycle; the second test holds that.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  records: [],
  ports: ['records'],
  'address-block': [],
  'file-token': [],
  files: ['ports'],
  'keep-newest': [],
  limits: ['keep-newest', 'ports', 'token-bucket'],
  x509: [],
  'event declaration': ['ports'],
  blocks: ['event declaration', 'ports', 'records', 'x509'],
  'sealed-box': [],
  'secret-prefixes': [],
  'token-bucket': [],
  'visible-text': [],
  threads: [],
  clock: ['ports'],
  durations: ['ports'],
  config: ['ports', 'secret-prefixes', 'x509'],
  log: ['config', 'secret-prefixes', 'visible-text'],
  accounts: ['ports', 'secret-prefixes'],
  audit: ['ports'],
  sessions: ['blocks', 'ports', 'records'],
  commands: ['ports'],
  events: ['blocks', 'event declaration', 'ports', 'records', 'sessions'],
  ocpp: ['blocks', 'ports', 'records', 'sessions', 'x509'],
  sockets: ['config', 'ocpp', 'ports'],
  webhooks: ['config', 'events', 'ports', 'sealed-box', 'secret-prefixes'],
  core: [
    'address-block',
    'blocks',
    'clock',
    'commands',
    'config',
    'events',
    'file-token',
    'keep-newest',
    'ocpp',
    'ports',
    'records',
    'sealed-box',
    'sessions',
    'threads',
    'x509',
  ],
  authorities: ['ports', 'records', 'sealed-box', 'webhooks', 'x509'],
  orders: [
    'accounts',
    'commands',
    'event declaration',
    'events',
    'keep-newest',
    'ocpp',
    'ports',
    'sealed-box',
    'sessions',
    'token-bucket',
    'webhooks',
  ],
  web: ['accounts', 'audit', 'files', 'ports'],
  http: [
    'accounts',
    'address-block',
    'audit',
    'blocks',
    'clock',
    'commands',
    'event declaration',
    'events',
    'files',
    'keep-newest',
    'ocpp',
    'orders',
    'ports',
    'sealed-box',
    'secret-prefixes',
    'sessions',
    'token-bucket',
    'web',
    'webhooks',
  ],
  oidc: [
    'accounts',
    'address-block',
    'audit',
    'config',
    'http',
    'keep-newest',
    'ports',
    'sealed-box',
    'secret-prefixes',
    'token-bucket',
    'web',
  ],
  console: [
    'accounts',
    'audit',
    'commands',
    'event declaration',
    'events',
    'keep-newest',
    'ocpp',
    'orders',
    'ports',
    'sessions',
    'web',
    'webhooks',
  ],
  rollouts: ['blocks', 'file-token', 'files', 'ports', 'records'],
  'faces of blocks': [
    'blocks',
    'commands',
    'console',
    'event declaration',
    'events',
    'file-token',
    'files',
    'http',
    'ocpp',
    'orders',
    'ports',
    'records',
    'rollouts',
    'sealed-box',
    'web',
    'x509',
  ],
  storage: [
    'commands',
    'config',
    'keep-newest',
    'oidc',
    'ports',
    'records',
    'sessions',
    'threads',
    'token-bucket',
    'webhooks',
  ],
}

/** Compositions: each puts a process or a thread together from all rooms. */
const COMPOSITIONS = new Set(['app', 'cli', 'core-thread', 'first-start', 'main', 'port', 'retentions'])

/**
 * Benches that write or read SQLite's file themselves: they make a log of millions of rows, compare with a bare scan of
 * it, or set `synchronous` as the server never would. No such exception for the product or for a test of it.
 */
const BARE_SQLITE = [
  'bench/generate.test.ts',
  'bench/generate.ts',
  'bench/pages.ts',
  'bench/pages/network.ts',
  'bench/power-cut/writer.ts',
  'bench/search.ts',
  'bench/walk.ts',
]

/** The race for charge points calls the functions of a group and of a claim by themselves, and changes them. */
const BARE_POSTGRES = ['bench/cluster/takeovers.ts']

/** Beside each other in one folder; beyond that a newcomer reads a list instead of a structure. */
const FILES_IN_A_FOLDER = 25

/**
 * A block is one folder whose files stand at different heights: what it keeps is part of `records`, its rules stand
 * below the decisions that use them, and its face on API and console above both.
 */
function roomOf(file: string): string {
  const [room = '', ...rest] = file.split('/')
  const name = rest.at(-1) ?? ''
  // Blocks declare events of their own, which the registry in the same folder gathers.
  if (file === 'events/declaration.ts') return 'event declaration'
  if (room !== 'blocks') return room.replace(/\.tsx?$/, '')
  if (rest.length > 1 && name === 'records.ts') return 'records'
  // What is ordered over the API and from pages, and pages of several files.
  const isFace = rest.slice(0, -1).some((folder) => folder === 'orders' || folder === 'page')
  return isFace || /^(faces|fleet|orders|routes|schemas|page|texts)\.tsx?$/.test(name) ? 'faces of blocks' : 'blocks'
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.endsWith('testing.ts'))
    .map((file) => join(folder, file))
}

function imports(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import)\s*(?:\(\s*)?'(\.[^']+)'/g)].map((match) =>
    resolve(dirname(file), match[1] ?? ''),
  )
}

describe('architecture', () => {
  const root = resolve('src')

  it('imports run one way: each room imports only the rooms that ARCHITECTURE.md allows', () => {
    const wrong: string[] = []
    for (const file of sources(root)) {
      const from = roomOf(relative(root, file))
      if (COMPOSITIONS.has(from)) continue
      for (const target of imports(file)) {
        if (!target.startsWith(root)) {
          wrong.push(`${relative(root, file)} imports ${relative(root, target)}, outside src`)
          continue
        }
        const to = roomOf(relative(root, target))
        if (to !== from && !MAY_IMPORT[from]?.includes(to)) {
          wrong.push(`${relative(root, file)} (${from}) imports ${relative(root, target)} (${to})`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  it('no room reaches itself through others', () => {
    const reach = (room: string, seen: readonly string[]): readonly string[][] =>
      seen.includes(room) ? [[...seen, room]] : (MAY_IMPORT[room] ?? []).flatMap((next) => reach(next, [...seen, room]))
    expect(Object.keys(MAY_IMPORT).flatMap((room) => reach(room, []))).toEqual([])
  })

  it('ports hold types only: nothing of them is left in a running program', () => {
    const values = sources(join(root, 'ports')).filter((file) =>
      /^(export (const|let|function|class|enum)|import (?!type))/m.test(readFileSync(file, 'utf8')),
    )
    expect(values.map((file) => relative(root, file))).toEqual([])
  })

  it('what the API and the pages both do refuses with a value: it knows no problem and no page', () => {
    const orders = sources(root).filter((file) => /^(orders\/|blocks\/.*\/orders(\.ts|\/))/.test(relative(root, file)))
    expect(orders.length).toBeGreaterThan(20)
    const wrong = orders.filter((file) =>
      /\b(new|throw) Problem\b|http\/(problem|respond)\.ts/.test(readFileSync(file, 'utf8')),
    )
    expect(wrong.map((file) => relative(root, file))).toEqual([])
  })

  it('no folder holds more files than one looks through', () => {
    const folders = new Map<string, number>()
    for (const file of [...sources(root), ...sources(resolve('simulator'))]) {
      folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1)
    }
    const full = [...folders].filter(([, count]) => count > FILES_IN_A_FOLDER)
    expect(full.map(([folder, count]) => `${relative(resolve('.'), folder)}: ${count}`)).toEqual([])
  })

  it('the domain imports no package and no Node module', () => {
    const impure = sources(join(root, 'sessions')).filter((file) =>
      /from '(?!\.)/.test(readFileSync(file, 'utf8').replaceAll(/import type [^\n]*\n/g, '')),
    )
    expect(impure.map((file) => relative(root, file))).toEqual([])
  })

  it.each(['sqlite', 'postgres'])('the engine %s is imported by storage/open.ts alone', (name) => {
    const engine = join(root, 'storage', name)
    const users = ['src', 'test', 'bench', 'simulator']
      .flatMap((place) => readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => join(place, file)))
      .filter((file) => /\.tsx?$/.test(file) && !resolve(file).startsWith(`${engine}/`))
      .filter((file) => imports(file).some((target) => target.startsWith(`${engine}/`)))
    expect(users.sort()).toEqual([...(name === 'sqlite' ? BARE_SQLITE : BARE_POSTGRES), 'src/storage/open.ts'])
  })

  it('nothing outside storage knows SQL', () => {
    const users = sources(root).filter(
      (file) =>
        !relative(root, file).startsWith('storage/') &&
        /from '(better-sqlite3|drizzle-orm|pg')/.test(readFileSync(file, 'utf8')),
    )
    expect(users.map((file) => relative(root, file))).toEqual([])
  })
})
