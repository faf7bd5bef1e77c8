// Copies what the server needs to run, and nothing that only building needs: node assemble.mjs TARGET
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
if (process.argv[2] === undefined) throw new Error('Name the folder: node assemble.mjs TARGET')
const target = resolve(process.argv[2])
if (existsSync(target)) throw new Error(`${target} exists already: name a new folder.`)

const PROGRAM = ['package.json', 'LICENSE', 'README.md', 'CHANGELOG.md', 'drizzle', 'deploy/container/health.mjs']
/** Of dist: the benches and the library for tests of others stay behind. */
const ONLY_ELSEWHERE = /^dist\/(bench\.|simulator\.|types)/
/** Sources and intermediate files of the native module; the module itself is build/Release/better_sqlite3.node. */
const ONLY_FOR_COMPILING =
  /^node_modules\/better-sqlite3\/(deps|src|build\/(?!Release$|Release\/better_sqlite3\.node$))/
/** Of modules: what only compilers and debuggers read, which is half of all files. */
const ONLY_FOR_WRITING = /^node_modules\/.*\.(map|d\.[cm]?ts)$/

const left = [ONLY_ELSEWHERE, ONLY_FOR_COMPILING, ONLY_FOR_WRITING]
mkdirSync(target, { recursive: true })
for (const name of [...PROGRAM, 'dist', ...productionModules()]) {
  cpSync(join(root, name), join(target, name), {
    recursive: true,
    filter: (path) => !left.some((pattern) => pattern.test(relative(root, path))),
  })
}
chmodSync(join(target, 'dist/main.js'), 0o755)

/** As the lock file has them; optional ones of other platforms are not installed. */
function productionModules() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.keys(packages).filter(
    (path) =>
      path !== '' && packages[path].dev !== true && packages[path].devOptional !== true && existsSync(join(root, path)),
  )
}
