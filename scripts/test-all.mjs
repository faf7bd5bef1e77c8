// `npm run test:all`: every test, and those in Chromium, which is installed where it is missing (Debian, as root).
// `-- --project house` leaves out what `npm test` has just run. TEST_REPORT=<folder> keeps what each run counted, as
// tests.json and browser.json.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const folder = process.env.TEST_REPORT ?? mkdtempSync(join(tmpdir(), 'reports-'))
/** More files than these do not fail by chance. */
const SECOND_TRY_LIMIT = 4

function run(command, ...args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  if (error) console.error(error.message)
  return status === 0
}

const vitest = (report, ...args) =>
  run('npx', 'vitest', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${folder}/${report}`)

const read = (report) => JSON.parse(readFileSync(join(folder, report), 'utf8'))

/**
 * These tests kill processes and databases and drive a browser, so a machine that stalls can fail one. A file that
 * failed beside the others runs once more, alone. What passes then is said; what fails twice has failed.
 */
function tried(report, ...args) {
  if (vitest(report, ...args)) return true
  if (!existsSync(join(folder, report))) return false
  const first = read(report)
  const files = first.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)
  if (files.length === 0 || files.length > SECOND_TRY_LIMIT) return false
  console.log(`\n== once more, alone: ${files.map((file) => relative('', file)).join(' ')}`)
  const passed = vitest(`again-${report}`, ...args, ...files)
  const again = new Map(read(`again-${report}`).testResults.map((suite) => [suite.name, suite]))
  const testResults = first.testResults.map((suite) =>
    files.includes(suite.name) && again.has(suite.name) ? { ...again.get(suite.name), firstTry: suite } : suite,
  )
  const count = (status) =>
    testResults.flatMap((suite) => suite.assertionResults).filter((test) => test.status === status).length
  const counts = { numPassedTests: count('passed'), numFailedTests: count('failed') }
  writeFileSync(join(folder, report), JSON.stringify({ ...first, ...counts, testResults }))
  return passed
}

const install = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends'
let passed = tried('tests.json', ...process.argv.slice(2))
if (!existsSync(chromium)) run('sh', '-c', `(${install} chromium) >/dev/null 2>&1`)
if (!existsSync(chromium)) {
  console.error(`The browser tests need Chromium: install it, or name it in CHROMIUM_PATH (looked for ${chromium}).`)
  passed = false
} else passed = tried('browser.json', '--config', 'vitest.browser.config.ts') && passed
process.exitCode = passed ? 0 : 1
