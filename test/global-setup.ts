/** Worker threads run from `dist`, so the tests that start the server need a fresh bundle. */
import { execFileSync } from 'node:child_process'

export default function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
}
