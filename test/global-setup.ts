/** Worker threads run from `dist`, so the tests that start the server need a fresh bundle. */
import { execFileSync } from 'node:child_process'

export default function setup(): void {
  try {
    execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'ignore' })
  } catch {
    process.stderr.write('The bundle could not be built: tests that start the server will fail.\n')
  }
}
