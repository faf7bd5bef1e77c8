// `npm run test:all`: every test, and those in Chromium, which is installed where it is missing (Debian, as root).
// `-- --project house` leaves out what `npm test` has just run. TEST_REPORT=<folder> keeps what each run counted, as
// tests.json and browser.json.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const folder = process.env.TEST_REPORT

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  if (error) console.error(error.message)
  return status === 0
}

function vitest(report, ...args) {
  const kept = folder ? ['--reporter=default', '--reporter=json', `--outputFile.json=${folder}/${report}`] : []
  return run('npx', 'vitest', 'run', ...args, ...kept)
}

const install = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends'
let passed = vitest('tests.json', ...process.argv.slice(2))
if (!existsSync(chromium)) run('sh', '-c', `(${install} chromium) >/dev/null 2>&1`)
if (!existsSync(chromium)) {
  console.error(`The browser tests need Chromium: install it, or name it in CHROMIUM_PATH (looked for ${chromium}).`)
  passed = false
} else passed = vitest('browser.json', '--config', 'vitest.browser.config.ts') && passed
process.exitCode = passed ? 0 : 1
