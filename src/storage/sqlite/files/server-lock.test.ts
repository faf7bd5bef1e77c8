import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryDatabase } from '../../../../test/support/storage/testing.ts'
import { acquireServerLock } from './connection.ts'

/** Another process that does what acquireServerLock does, and waits to be killed. */
const OTHER_SERVER = `
  const Database = require('better-sqlite3')
  const lock = new Database(process.argv[1] + '.lock')
  lock.exec('BEGIN EXCLUSIVE')
  require('node:fs').writeFileSync(process.argv[1] + '.pid', String(process.pid))
  process.stdout.write('locked')
  setInterval(() => lock.inTransaction, 1000)`

let place: ReturnType<typeof temporaryDatabase>
let other: ChildProcess | undefined
beforeEach(() => {
  place = temporaryDatabase()
})
afterEach(() => {
  other?.kill('SIGKILL')
  place.remove()
})

it('a second server on the same file is refused, also within one process', () => {
  const lock = acquireServerLock(place.path)
  expect(() => acquireServerLock(place.path)).toThrow(`process ${process.pid}`)
  lock.release()
  expect(existsSync(`${place.path}.pid`)).toBe(false)
  acquireServerLock(place.path).release()
})

it('a server killed with SIGKILL leaves no lock behind', async () => {
  acquireServerLock(place.path).release()
  other = spawn(process.execPath, ['-e', OTHER_SERVER, place.path], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (other.stdout) await once(other.stdout, 'data')
  expect(() => acquireServerLock(place.path)).toThrow(`process ${other?.pid}`)
  other.kill('SIGKILL')
  await once(other, 'exit')
  acquireServerLock(place.path).release()
})
