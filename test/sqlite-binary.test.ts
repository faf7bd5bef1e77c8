/** What `npm ci` made of better-sqlite3 on this version of Node. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

it('SERVER-C2: was not compiled into one that ends the process while it collects garbage (Node 24.19 and later)', () => {
  const installed = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'))
  const binary = readFileSync(join(installed, 'build', 'Release', 'better_sqlite3.node'))
  expect(binary.includes('RemoveEnvironmentCleanupHook')).toBe(false)
})
