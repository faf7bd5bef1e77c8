// Bundles the programs that Node runs: the binary, the two worker threads and the benches. Dependencies stay in
// node_modules (better-sqlite3 is native); the type check is a separate command, so a start never waits for it.
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

/** What `import()` names is a file of its own, `chunk-….js`, that a thread holds when it uses it. */
const server = {
  main: 'src/main.ts',
  'core-thread': 'src/server/core-thread.ts',
  'reader-thread': 'src/storage/sqlite/reader-thread.ts',
}
const beside = { bench: 'bench/main.ts', simulator: 'simulator/index.ts' }

const options = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  // V8 keeps the text of a program as long as it runs, and in two bytes a character when one of them needs two.
  minifyWhitespace: true,
  lineLimit: 160,
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx',
  logLevel: 'warning',
}
const { metafile } = await build({
  ...options,
  entryPoints: server,
  splitting: true,
  chunkNames: 'chunk-[hash]',
  metafile: true,
})
const written = new Set(Object.keys(metafile.outputs).map((file) => basename(file)))
for (const name of written) {
  const wide = name.endsWith('.js') && /[^\0-\xff]/.exec(readFileSync(`dist/${name}`, 'utf8'))
  if (wide) throw new Error(`dist/${name}: write ${wide[0]} as an escape, or the whole file takes twice its memory.`)
}
// Of an earlier build.
for (const name of readdirSync('dist')) if (name.startsWith('chunk-') && !written.has(name)) rmSync(`dist/${name}`)

await build({
  ...options,
  entryPoints: Object.fromEntries(Object.entries(beside).filter(([, file]) => existsSync(file))),
})

// Served as they are.
copyFileSync('src/web/live.js', 'dist/live.js')
cpSync('src/web/style', 'dist/style', { recursive: true })

// `/docs`, rendered once: the server only names its own address in it.
await build({ ...options, entryPoints: { 'render-docs': 'scripts/docs/render-docs.ts' }, sourcemap: false })
execFileSync(process.execPath, ['dist/render-docs.js', 'dist/docs.html'], { stdio: 'inherit' })
rmSync('dist/render-docs.js')

// Read by name while the simulator runs. One that is gone must not stay behind from an earlier build.
rmSync('dist/scenarios', { recursive: true, force: true })
cpSync('simulator/scenarios', 'dist/scenarios', {
  recursive: true,
  filter: (path) => !path.endsWith('.ts') && !path.endsWith('engine'),
})
