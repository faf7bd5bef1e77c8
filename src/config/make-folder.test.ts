import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from './make-folder.ts'

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pilotwire-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

it('OIDC-U10: a folder and those above it are made for this user alone, and what is there stays', () => {
  const folder = join(scratch(), 'a', 'b')
  makeFolder(folder)
  makeFolder(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

it('a folder below a file is refused', () => {
  const file = join(scratch(), 'file')
  writeFileSync(file, '')
  expect(() => makeFolder(join(file, 'a', 'b'))).toThrow('ENOTDIR')
  expect(() => makeFolder(file)).toThrow('EEXIST')
})

// Only Linux has it, and there mkdir says ENOENT below a folder that everybody sees.
it.runIf(process.platform === 'linux')('SERVER-A3: a database below /proc hung the start for ever', () => {
  expect(() => makeFolder('/proc/pilotwire/data')).toThrow('ENOENT')
})
