import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { databasePath } from './database-path.ts'

it.each([
  ['file:data/pilotwire.db', resolve('data/pilotwire.db')],
  ['file:./pilotwire.db', resolve('pilotwire.db')],
  ['file:/var/lib/pilotwire.db', '/var/lib/pilotwire.db'],
  ['file:///var/lib/pilot%20wire.db', '/var/lib/pilot wire.db'],
])('%s is %s', (url, path) => {
  expect(databasePath(url)).toBe(path)
})

it.each([
  'data/pilotwire.db',
  'file:',
  'file::memory:',
  'file:data/',
  'file:x.db?mode=memory',
  'file://elsewhere/x.db',
  'postgres://u:secret@h/db',
  'sqlite:x.db',
])('refuses %s and says what to write', (url) => {
  expect(() => databasePath(url)).toThrow(/file:/)
  expect(() => databasePath(url)).not.toThrow(/secret/)
})
