import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The table of ARCHITECTURE.md: a room and the rooms it may import. Type-only imports count as well. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  'secret-prefixes': [],
  'visible-text': [],
  threads: [],
  sessions: [],
  commands: ['clock', 'storage'],
  accounts: ['secret-prefixes', 'storage'],
  config: ['sockets', 'storage'],
  log: ['config', 'secret-prefixes', 'visible-text'],
  storage: ['clock', 'commands', 'oidc', 'sessions', 'threads', 'webhooks'],
  ocpp: ['core-interface', 'sessions', 'storage'],
  'core-interface': ['ocpp', 'sessions', 'storage'],
  sockets: ['clock', 'core-interface', 'ocpp'],
  webhooks: ['clock', 'config', 'secret-prefixes', 'sessions', 'storage'],
  core: ['clock', 'commands', 'config', 'core-interface', 'ocpp', 'sessions', 'storage', 'threads', 'webhooks'],
  http: [
    'accounts',
    'clock',
    'commands',
    'core-interface',
    'ocpp',
    'secret-prefixes',
    'sessions',
    'storage',
    'webhooks',
  ],
  dashboard: ['storage'],
  oidc: ['accounts', 'config', 'dashboard', 'http', 'secret-prefixes', 'storage'],
  operator: ['commands', 'core-interface', 'dashboard', 'http', 'ocpp', 'oidc', 'sessions', 'storage'],
}

/** Rooms that stand above all others. */
const ABOVE = new Set(['app', 'port', 'cli', 'main', 'first-start'])

function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  const name = first.replace(/\.tsx?$/, '')
  const inner = second.replace(/\.tsx?$/, '')
  if (name === 'core' && inner === 'core') return 'core-interface'
  return name
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
      if (ABOVE.has(from)) continue
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

  it('the domain imports no package and no Node module', () => {
    const impure = sources(join(root, 'sessions')).filter((file) =>
      /from '(?!\.)/.test(readFileSync(file, 'utf8').replaceAll(/import type [^\n]*\n/g, '')),
    )
    expect(impure.map((file) => relative(root, file))).toEqual([])
  })

  it('nothing outside storage knows SQL', () => {
    const users = sources(root).filter(
      (file) =>
        !relative(root, file).startsWith('storage/') &&
        /from '(better-sqlite3|drizzle-orm)/.test(readFileSync(file, 'utf8')),
    )
    expect(users.map((file) => relative(root, file))).toEqual([])
  })
})
