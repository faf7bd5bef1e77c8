// Bundles the programs that Node runs: the binary, the two worker threads and the benches. Dependencies stay in
// node_modules (better-sqlite3 is native); the type check is a separate command, so a start never waits for it.
import { copyFileSync, cpSync, existsSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const entries = {
  main: 'src/main.ts',
  'core-thread': 'src/server/core-thread.ts',
  'reader-thread': 'src/storage/sqlite/reader-thread.ts',
  bench: 'bench/main.ts',
  simulator: 'simulator/index.ts',
}

await build({
  entryPoints: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx',
  loader: { '.css': 'text' },
  logLevel: 'warning',
})

// Runs in browsers, as it is.
copyFileSync('src/web/live.js', 'dist/live.js')

// Read by name while the simulator runs. One that is gone must not stay behind from an earlier build.
rmSync('dist/scenarios', { recursive: true, force: true })
cpSync('simulator/scenarios', 'dist/scenarios', {
  recursive: true,
  filter: (path) => !path.endsWith('.ts') && !path.endsWith('engine'),
})
