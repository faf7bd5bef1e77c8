// Type declarations of the simulator's library, for whoever installs the package; a start has no need of them.
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

execFileSync(process.execPath, [require.resolve('typescript/bin/tsc'), '--project', 'scripts/tsconfig.types.json'], {
  stdio: 'inherit',
})
