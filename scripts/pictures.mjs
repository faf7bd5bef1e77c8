// `npm run pictures` takes the pictures of the console for the README: a server on an empty database, a day of a
// network of simulated stations on it, and a browser. Needs Chromium (CHROMIUM_PATH, otherwise /usr/bin/chromium) and
// about two minutes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { ChargePoint } from '../dist/simulator.js'
import { freePort } from './free-port.mjs'
import { CARDS, createNetwork } from './pictures/network.mjs'
import { createDay } from './pictures/time.mjs'

const FOLDER = 'docs/images'
const LARGEST_BYTES = 200_000
const WIDTH = 1440
const HEIGHT = 960
/** Lines of text take more bytes than anything else. */
const LOG_HEIGHT = 660
const SEED = 7
const PASSWORD = 'a-password-of-the-pictures'
const SIGN_IN = { email: 'operator@charging.example', password: 'correct horse battery' }

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-pictures-'))
const port = await freePort()
const url = `http://localhost:${port}`
const day = createDay()
const network = createNetwork(SEED)
const stations = new Map()
let server
let browser

/** Resolves with the credential. */
async function startServer() {
  server = spawn(process.execPath, [resolve('dist/main.js'), 'serve', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PILOTWIRE_PORT: String(port),
      PILOTWIRE_MODE: 'production',
      PILOTWIRE_HOST: '127.0.0.1',
      PILOTWIRE_BASE_URL: url,
      PILOTWIRE_ADMIN_EMAIL: SIGN_IN.email,
      PILOTWIRE_ADMIN_PASSWORD: SIGN_IN.password,
      PILOTWIRE_HEARTBEAT_INTERVAL: '1800',
      PILOTWIRE_RATE_API: '0',
      PILOTWIRE_RATE_V2: '0',
      PILOTWIRE_OCPP_REPORTS: 'manual',
      // The machine may be busy, and nobody else waits.
      PILOTWIRE_OCPP_MAX_LAG: '60000',
      PILOTWIRE_LOG_LEVEL: 'error',
      ...day.environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.startsWith('{')) return JSON.parse(line).firstStart.credential
  }
  throw new Error('The server ended before it was ready.')
}

function caller(credential) {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${credential}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
}

async function register(call) {
  await call('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.49, perSession: 0.5 })
  for (const id of CARDS) await call('POST', '/2/id-tokens', { id })
  for (const { id, name, labels } of network) {
    await call('POST', '/2/evse-controllers', { id, name, labels, password: PASSWORD, securityProfile: 1 })
  }
  await call('POST', '/2/evse-controllers', { id: 'CAMPUS-10', name: 'Campus west, car park C, no. 10' })
}

/** A day of one station. */
async function live({ id, ocpp, connectors, gone, fault, vehicle, plate, charges }) {
  const station = await ChargePoint.connect({
    url: `ws://localhost:${port}/ocpp`,
    id,
    ocpp,
    password: PASSWORD,
    clock: day.clock,
    seed: SEED,
    connectors,
    vehicle,
    plate,
    sampleSeconds: 180,
  })
  stations.set(id, station)
  await station.boot()
  await Promise.all([
    ...charges.map((ofConnector) => charge(station, ofConnector)),
    gone !== undefined && day.until(gone).then(() => station.offline()),
    fault && fail(station, fault),
  ])
}

async function charge(station, charges) {
  for (const { connector, from, to, soc, card } of charges) {
    await day.until(from)
    await station.plug(connector, { soc })
    if ((await station.swipe(connector, card)) !== 'started') throw new Error(`${card} did not start a charge`)
    if (to <= 0) return
    await day.until(to)
    await station.swipe(connector, card)
    await station.unplug(connector)
  }
}

async function fail(station, [at, connectorId, what]) {
  await day.until(at)
  const timestamp = new Date(day.clock.now()).toISOString()
  await station.call('StatusNotification', { connectorId, status: 'Faulted', ...what, vendorId: 'Kestrel', timestamp })
}

/** One that nobody registered, and one with an old password. */
async function knockInVain() {
  const attempts = [
    [3.2, { id: 'MARKET-13', password: PASSWORD }],
    [0.7, { id: 'CAMPUS-10', password: 'the-password-of-before' }],
  ]
  for (const [at, who] of attempts) {
    await day.until(at)
    await ChargePoint.connect({ url: `ws://localhost:${port}/ocpp`, ...who, seed: SEED }).then(
      () => Promise.reject(new Error(`${who.id} was let in`)),
      () => undefined,
    )
  }
}

async function takePictures(call) {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme: 'light' })
  const dashboard = `${url}/dashboard`
  await page.goto(dashboard)
  await page.fill('input[name=email]', SIGN_IN.email)
  await page.fill('input[name=password]', SIGN_IN.password)
  await page.click('main button[type=submit]')
  await page.waitForURL((address) => !address.pathname.endsWith('/login'))
  const longest = async (path) => {
    const { data } = await call('GET', path)
    return data.reduce((most, one) => (Number(one.energy) > Number(most.energy) ? one : most))
  }
  const rapid = await longest('/2/sessions?evseControllerId=A7-NORTH-2&state=completed')
  await picture(page, 'overview', dashboard)
  await picture(page, 'charge-point', `${dashboard}/charge-points/MARKET-07`)
  await picture(page, 'session', `${dashboard}/charging-sessions/${rapid.id}`)
  await picture(page, 'log', `${dashboard}/charge-points/MARKET-07#messages`, LOG_HEIGHT)
}

async function picture(page, name, address, height = HEIGHT) {
  await page.setViewportSize({ width: WIDTH, height })
  // A fragment alone would leave the page as it is.
  await page.goto('about:blank')
  await page.goto(address)
  const path = join(FOLDER, `console-${name}.png`)
  await page.screenshot({ path })
  const { size } = statSync(path)
  if (size > LARGEST_BYTES) throw new Error(`${path} has ${size} bytes: at most ${LARGEST_BYTES}`)
}

try {
  const call = caller(await startServer())
  await register(call)
  await Promise.all([...network.map(live), knockInVain(), day.until(0)])
  await takePictures(call)
} finally {
  await browser?.close()
  for (const { clock, station } of stations.values()) {
    clock.stop()
    await station.powerOff()
  }
  server?.kill('SIGTERM')
  if (server && server.exitCode === null) await once(server, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
