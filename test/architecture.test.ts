import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

/**
 * The table of ARCHITECTURE.md: a room, which is a folder of src/, and the rooms that it may import, type imports
 * included. A room stands below all that import it, so the table has no cycle; the second test holds that.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  secrets: [],
  threads: [],
  config: ['domain'],
  files: ['domain'],
  limits: ['domain'],
  ocpp: ['domain'],
  sockets: ['config', 'domain', 'limits', 'ocpp'],
  webhooks: ['config', 'domain', 'secrets'],
  core: ['config', 'domain', 'limits', 'ocpp', 'secrets', 'threads'],
  authorities: ['domain', 'secrets', 'webhooks'],
  application: ['domain', 'files', 'limits', 'ocpp', 'secrets', 'webhooks'],
  web: ['application', 'domain', 'files'],
  api: ['application', 'domain', 'files', 'limits', 'ocpp', 'secrets', 'web', 'webhooks'],
  afir: ['api', 'application', 'config', 'domain', 'limits', 'secrets', 'web', 'webhooks'],
  ocpi: ['api', 'application', 'config', 'domain', 'limits', 'secrets', 'webhooks'],
  oidc: ['api', 'application', 'config', 'domain', 'limits', 'secrets', 'web'],
  console: ['api', 'application', 'domain', 'files', 'limits', 'ocpp', 'web', 'webhooks'],
  storage: ['config', 'domain', 'limits', 'ocpp', 'threads', 'webhooks'],
}

/** Compositions: each puts a process or a thread together from all rooms. */
const COMPOSITIONS = new Set(['main', 'server'])

/**
 * What the domain may have of Node and of others: hashes and signatures, schemas, and libraries that read X.509 and
 * count TOTP.
 */
const PURE_PACKAGES = new Set([
  'node:crypto',
  'node:net',
  'node:zlib',
  '@hono/zod-openapi',
  // domain/x509/library.ts loads the one that reads X.509 with the first certificate.
  'node:module',
  'otpauth',
])

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
]

/** The race for charge points calls the functions of a group and of a claim by themselves, and changes them. */
const BARE_POSTGRES = ['bench/cluster/takeovers.ts']

/** Beside each other in one folder; beyond that a newcomer reads a list instead of a structure. */
const FILES_IN_A_FOLDER = 25

/** The settings of a simulated station act on it, and it has them. */
const KNOTS = ['simulator/commands/target.ts']

/** Where the names of the versions stand behind the edge: the type, and an example of an event. */
const NAMES_VERSIONS = new Set(['domain/ocpp-versions.ts', 'domain/timeline/events.ts', 'server/cli/testing-rows.ts'])

/** By path alone. */
function roomOf(file: string): string {
  const [room = ''] = file.split('/')
  return room.replace(/\.tsx?$/, '')
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

/** Files that reach each other, by Tarjan's algorithm. */
function circles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: string[][] = []
  const numbers = new Map<string, number>()
  const open: string[] = []
  const visit = (file: string): number => {
    const own = numbers.size
    numbers.set(file, own)
    open.push(file)
    let lowest = own
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      if (!numbers.has(next)) lowest = Math.min(lowest, visit(next))
      else if (open.includes(next)) lowest = Math.min(lowest, numbers.get(next) ?? own)
    }
    if (lowest === own) {
      const circle = open.splice(open.indexOf(file))
      if (circle.length > 1) found.push(circle)
    }
    return lowest
  }
  for (const file of graph.keys()) if (!numbers.has(file)) visit(file)
  return found
}

const root = resolve('src')

it('imports run one way: each room imports only the rooms that ARCHITECTURE.md allows', () => {
  const wrong: string[] = []
  for (const file of sources(root)) {
    const from = roomOf(relative(root, file))
    if (COMPOSITIONS.has(from)) continue
    for (const target of imports(file)) {
      if (from === 'application' && target.startsWith(resolve('locales'))) continue
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

/**
 * The floors of the domain, lowest first: a subject imports its own floor and those below. Ports, files beside the
 * folders and each subject's `records.ts` are the ground.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['ports', 'records', 'resources', 'energy', 'message-log', 'accounts', 'deliveries', 'x509'],
  ['budgets', 'outgoing-calls', 'preferences', 'sites', 'uptime'],
  ['charging', 'device-model', 'display-messages', 'intents', 'monitors', 'timeline'],
  ['locations', 'payments', 'reservations', 'running-costs', 'sessions', 'signed-values', 'tariffs'],
  ['data-transfers', 'events', 'partners'],
  [
    ...['alerts', 'bulk-orders', 'certificates', 'configuration', 'customer-information', 'firmware', 'limit-groups'],
    ...['local-lists', 'logs', 'password-rotations', 'profile-jobs', 'reports'],
  ],
  ['grants'],
  ['blocks'],
]
/** They name what every subject declares; `ports/` has types alone. */
const NAMES_ALL = /^ports\/|\/records\.ts$|^records\/subjects\.ts$|^resources\/all-resources\.ts$/

it('no subject of the domain imports from a floor above its own; declarations and lists of all stand apart', () => {
  const floors = new Map(FLOORS.flatMap((subjects, floor) => subjects.map((subject) => [subject, floor] as const)))
  const domain = join(root, 'domain')
  const subjectOf = (file: string): string => relative(domain, file).split('/')[0] ?? ''
  const subjects = new Set(sources(domain).map(subjectOf))
  expect([...subjects].filter((one) => !one.endsWith('.ts') && !floors.has(one))).toEqual([])
  const floorOf = (file: string): number => (file.endsWith('/records.ts') ? 0 : (floors.get(subjectOf(file)) ?? 0))
  const upward = sources(domain)
    .filter((file) => !NAMES_ALL.test(relative(domain, file)))
    .flatMap((file) =>
      imports(file)
        .filter((target) => target.startsWith(domain) && floorOf(target) > floorOf(file))
        .map((target) => `${relative(domain, file)} imports ${relative(domain, target)}`),
    )
  expect(upward).toEqual([])
})

it('no file reaches itself through others, type imports included', () => {
  const files = [...sources(root), ...sources(resolve('simulator'))]
  const tied = circles(new Map(files.map((file) => [file, imports(file)])))
  const reported = tied.map((circle) => circle.map((file) => relative('.', file)).sort())
  expect(reported.filter((circle) => !KNOTS.some((knot) => circle.includes(knot)))).toEqual([])
})

it('ports hold types only: nothing of them is left in a running program', () => {
  const values = sources(join(root, 'domain/ports')).filter((file) =>
    /^(export (const|let|function|class|enum)|import (?!type))/m.test(readFileSync(file, 'utf8')),
  )
  expect(values.map((file) => relative(root, file))).toEqual([])
})

it('what the API and the pages both do refuses with a value: it knows no problem and no page', () => {
  const useCases = sources(join(root, 'application'))
  expect(useCases.length).toBeGreaterThan(20)
  const wrong = useCases.filter((file) => /\b(new|throw) Problem\b|from 'hono/.test(readFileSync(file, 'utf8')))
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

it('the domain imports nothing that reads, writes or waits', () => {
  const impure = sources(join(root, 'domain')).flatMap((file) => {
    const text = readFileSync(file, 'utf8').replaceAll(/import type [^\n]*\n/g, '')
    return [...text.matchAll(/from '((?!\.)[^']+)'/g)]
      .filter(([, name = '']) => !PURE_PACKAGES.has(name))
      .map(([, name]) => `${relative(root, file)}: ${name}`)
  })
  expect(impure).toEqual([])
})

it('nothing behind the edge asks which version of OCPP it was: a version has abilities', () => {
  const asking = sources(root).filter(
    (file) =>
      !relative(root, file).startsWith('ocpp/') &&
      /['"`](ocpp\d[\d.]*|1\.6|2\.0\.1)['"`]|\bis(V?16|V?201)\b/.test(readFileSync(file, 'utf8')),
  )
  expect(asking.map((file) => relative(root, file)).filter((file) => !NAMES_VERSIONS.has(file))).toEqual([])
})

it('time and randomness come in from outside: compositions, threads and storage alone ask the machine', () => {
  const outside = ['config', 'server', 'storage', 'threads', 'main.ts'].map((name) => join(root, name))
  const own = /\bDate\.now\b|\bnew Date\(\)|\bset(Timeout|Interval)\b|\bperformance\.now\b|\bMath\.random\b/
  const chance = /\brandom(Bytes|UUID|Int|FillSync)\b[^}]*\} from 'node:crypto'|\bgetRandomValues\b/
  const asking = sources(root)
    .filter((file) => !outside.some((place) => file.startsWith(place)))
    .filter((file) => {
      const code = readFileSync(file, 'utf8').replaceAll(/\/\*\*.*?\*\/|\/\/ [^\n]*/gs, '')
      return own.test(code) || chance.test(code)
    })
  expect(asking.map((file) => relative(root, file))).toEqual([])
})

it('sessions and energy are decided without any package or Node module', () => {
  const impure = ['sessions', 'energy']
    .flatMap((folder) => sources(join(root, 'domain', folder)))
    .filter((file) => /from '(?!\.)/.test(readFileSync(file, 'utf8').replaceAll(/import type [^\n]*\n/g, '')))
  expect(impure.map((file) => relative(root, file))).toEqual([])
})

it.each(['sqlite', 'postgres'])('the engine %s is imported by storage/open.ts alone', (name) => {
  const engine = join(root, 'storage', name)
  const users = ['src', 'test', 'bench', 'simulator']
    .flatMap((place) => readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => join(place, file)))
    .filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        ![engine, resolve('test/support/storage', name)].some((of) => resolve(file).startsWith(`${of}/`)),
    )
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
