// `npm run picture:simulator` takes the picture of the simulator's window for the READMEs: a server on an empty
// database,
// one seeded station, its buttons pressed in a browser. Needs Chromium (CHROMIUM_PATH, otherwise /usr/bin/chromium).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { freePort } from './free-port.mjs'

const PICTURE = 'docs/images/simulator-window.png'
const LARGEST_BYTES = 100_000
/** Each button and how long the curve runs on behind it, in real seconds. */
const VISIT = [
  ['Plug in', 3],
  ['Swipe card', 14],
  ['Fault', 4],
  ['Clear fault', 20],
]

const program = resolve('dist/main.js')
const folder = mkdtempSync(join(tmpdir(), 'pilotwire-picture-'))
const port = await freePort()
const children = []

/** Resolves with the first line on stdout that fits. */
async function start(args, fits) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, PILOTWIRE_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) if (fits.test(line)) return line
  throw new Error(`${args[0]} ended before it was ready`)
}

try {
  await start(['serve', '--json'], /^\{/)
  const url = await start(['simulate', '--ui', '0', '--id', 'EV-001', '--seed', '1', '--speed', '60x'], /^http/)
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage({ viewport: { width: 760, height: 900 }, colorScheme: 'light' })
  await page.goto(url)
  for (const [button, seconds] of VISIT) {
    await page.getByRole('button', { name: button, exact: true }).click()
    await wait(seconds * 1000)
  }
  await page.screenshot({ path: PICTURE })
  await browser.close()
  const { size } = statSync(PICTURE)
  if (size > LARGEST_BYTES) throw new Error(`${PICTURE} has ${size} bytes: at most ${LARGEST_BYTES}`)
} finally {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')))
  rmSync(folder, { recursive: true, force: true })
}
