import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { acquireServerLock } from './connection.ts'
import { keepPrivate } from './private-files.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

let parent: string
let folder: string
let database: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'pilotwire-private-'))
  folder = join(parent, 'data')
  database = join(folder, 'pilotwire.db')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const open = (...names: readonly string[]): void => {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  for (const name of names) {
    writeFileSync(join(folder, name), '')
    chmodSync(join(folder, name), 0o644)
  }
}

it('OIDC-U10: the lock is made for this user alone, with its folder', () => {
  const lock = acquireServerLock(database)
  expect(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))])).toEqual([
    ['pilotwire.db.lock', '600'],
    ['pilotwire.db.lock-journal', '600'],
    ['pilotwire.db.pid', '600'],
  ])
  expect(modeOf(folder)).toBe('700')
  lock.release()
})

it('OIDC-U10: what an earlier version left open to others is closed at the start', () => {
  const suffixes = ['', '-wal', '-shm', '-journal', '.lock', '.lock-journal', '.pid', '.key', '.key.a1b2']
  open(...suffixes.map((suffix) => `pilotwire.db${suffix}`))
  expect(keepPrivate(database)).toEqual([])
  for (const name of readdirSync(folder)) expect([name, modeOf(join(folder, name))]).toEqual([name, '600'])
  expect(modeOf(folder)).toBe('700')
})

it('OIDC-U10: what is not ours keeps its mode, and so does a folder that it shares with us', () => {
  open('pilotwire.db', 'pilotwire.db-wal', 'pilotwire.dbx', 'notes.txt')
  chmodSync(join(folder, 'pilotwire.db'), 0o400)
  expect(keepPrivate(database)).toEqual([])
  expect(modeOf(join(folder, 'pilotwire.db'))).toBe('400')
  expect(modeOf(join(folder, 'pilotwire.db-wal'))).toBe('600')
  expect([modeOf(join(folder, 'pilotwire.dbx')), modeOf(join(folder, 'notes.txt'))]).toEqual(['644', '644'])
  expect(modeOf(folder)).toBe('755')
})
