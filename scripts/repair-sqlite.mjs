/**
 * Runs after every installation. Where no prebuilt binary of better-sqlite3 can be fetched it is compiled, and the
 * headers of Node 24.19 and later make of that a binary that ends the process while it collects garbage
 * (object-wrap.h). Such a binary is recognised by what it imports, and compiled once more with the class as it was
 * before.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const installed = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'))
const binary = join(installed, 'build', 'Release', 'better_sqlite3.node')
const removesHooks = () => existsSync(binary) && readFileSync(binary).includes('RemoveEnvironmentCleanupHook')

if (removesHooks()) {
  console.log('better-sqlite3 was compiled against headers that would make it crash: compiling it once more …')
  const header = fileURLToPath(new URL('object-wrap.h', import.meta.url))
  const { npm_execpath: npm, CXXFLAGS = '' } = process.env
  const [command, ...start] = npm ? [process.execPath, npm] : ['npm']
  execFileSync(command, [...start, 'rebuild', 'better-sqlite3'], {
    // The folder above node_modules, wherever that is when this package is somebody's dependency.
    cwd: join(installed, '..', '..'),
    env: { ...process.env, CXXFLAGS: `${CXXFLAGS} -include "${header}"` },
    stdio: 'inherit',
  })
  if (removesHooks()) {
    console.error(
      'The binary still has that fault. Use Node 22, or a machine that can fetch the prebuilt better-sqlite3 from github.com.',
    )
    process.exitCode = 1
  }
}
