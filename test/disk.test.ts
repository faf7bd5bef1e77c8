/** Disks that are full or must not be written: what was acknowledged stays, what cannot be kept is not acknowledged. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type HouseProcess, spawnHouse, until } from './house.ts'
import { booted16, booted201, eventOf, startOf } from './station.ts'
import { startCli, type TestInstallation, testInstallation } from './support/server/cli/testing.ts'

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/**
 * What a full disk looks like to a process: no file of it may grow beyond this many bytes, until it is allowed again.
 */
function limitFiles(house: HouseProcess, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(house.pid), `--fsize=${bytes}:unlimited`])
}

describe.skipIf(!has('prlimit'))('a full disk', () => {
  it('OCPP-DR5: transaction messages are answered InternalError, nothing acknowledged is lost, and the server recovers', async () => {
    const house = await spawnHouse()
    const [one, two] = await Promise.all([booted16(house.ocppUrl, 'FULL-16'), booted201(house.ocppUrl, 'FULL-201')])
    const { transactionId } = await one.ask('StartTransaction', startOf({ meterStart: 1000 }))
    expect(await house.sessions('FULL-16')).toHaveLength(1)
    limitFiles(house, 4096)

    const stop = { transactionId, meterStop: 6000, timestamp: new Date().toISOString() }
    expect(await one.call('StopTransaction', stop, 'the-stop')).toMatchObject({ 0: 4, 2: 'InternalError' })
    const event = eventOf('Started', 0)
    expect(await two.call('TransactionEvent', event)).toMatchObject({ 0: 4, 2: 'InternalError' })
    // Reading goes on, and what is there is what was acknowledged.
    expect(await house.sessions('FULL-16')).toMatchObject([{ state: 'charging', energyKwh: 0 }])
    expect(await house.sessions('FULL-201')).toEqual([])
    const refused = await house.request('POST', '/2/id-tokens', { id: 'NEW' })
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ code: 'storage_unavailable' })
    expect((await house.request('GET', '/readyz')).status).toBe(503)

    limitFiles(house, 'unlimited')
    expect(await one.ask('StopTransaction', stop, 'the-stop')).toEqual({})
    expect(await two.ask('TransactionEvent', event)).toHaveProperty('idTokenInfo')
    expect(await house.sessions('FULL-16')).toMatchObject([{ state: 'completed', energyKwh: 5 }])
    expect(await house.sessions('FULL-201')).toMatchObject([{ state: 'charging' }])
    expect((await house.request('GET', '/readyz')).status).toBe(200)
    expect(await house.terminate()).toBe(0)
    await house.startAgain()
    const methods = (await house.rows('FULL-16')).map(({ method }) => method)
    expect(methods).toEqual(['StopTransaction', 'StartTransaction', 'BootNotification'])
    await house.close()
  })

  it('OCPP-DR5: killed while the disk is full, the server comes back with everything that was acknowledged', async () => {
    const house = await spawnHouse()
    const station = await booted16(house.ocppUrl, 'FULL-AND-KILLED')
    const { transactionId } = await station.ask('StartTransaction', startOf())
    limitFiles(house, 4096)
    for (let attempt = 0; attempt < 3; attempt++) {
      const values = { connectorId: 1, transactionId, meterValue: [] }
      expect(await station.call('MeterValues', values)).toMatchObject({ 0: 4, 2: 'InternalError' })
    }
    await house.kill()
    await house.startAgain()
    expect(await house.sessions('FULL-AND-KILLED')).toMatchObject([{ state: 'charging' }])
    const methods = (await house.rows('FULL-AND-KILLED')).map(({ method }) => method)
    expect(methods).toEqual(['StartTransaction', 'BootNotification'])
    await house.close()
  })
})

/** Space for some of what a first start writes, never for all of it. */
describe.skipIf(!has('prlimit'))('a disk that is full at the first start', () => {
  it.each([16, 200])('with %i KiB left: ends with 1 and a sentence; with space it starts', async (kibibytes) => {
    const installation = testInstallation()
    const limited = startServing(installation, 'prlimit', `--fsize=${kibibytes * 1024}`)
    expect({ code: limited.code, notes: limited.notes }).toEqual({
      code: 1,
      notes: expect.stringMatching(/^error: .*(free space|disk is full)[^\n]*\n$/),
    })
    const child = startCli(['serve', '--json'], installation.environment, installation.folder)
    expect(JSON.parse(await child.firstLine)).toHaveProperty('firstStart')
    child.process.kill('SIGTERM')
    expect((await child.ended).code).toBe(0)
    installation.remove()
  })
})

const isAlive = ({ pid }: HouseProcess): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.each([
  ['moved', (file: string) => renameSync(file, `${file}.moved`)],
  [
    'replaced',
    (file: string) => {
      copyFileSync(file, `${file}.copy`)
      renameSync(`${file}.copy`, file)
    },
  ],
  ['parted from its log', (file: string) => renameSync(`${file}-wal`, `${file}-wal.moved`)],
])(
  'OCPP-DR5: %s: the server acknowledges nothing more into a file that nobody finds, and ends with 1',
  async (_, take) => {
    const house = await spawnHouse()
    await booted16(house.ocppUrl, 'CP-1')
    take(house.database)
    await until(() => !isAlive(house))
    expect(await house.terminate()).toBe(1)
    await house.close()
  },
)

const isRoot = process.getuid?.() === 0

describe.skipIf(isRoot && !has('setpriv'))('a database that may only be read', () => {
  it('is refused at the start with a sentence that says what to do, and exit code 1', async () => {
    const installation = testInstallation()
    await installation.json(['account', 'create', '--name', 'Acme'])
    for (const file of [installation.database, installation.folder])
      chmodSync(file, file === installation.folder ? 0o500 : 0o400)
    // The superuser may write everything, unless that capability is taken away.
    const { code, out, notes } = isRoot
      ? startServing(installation, 'setpriv', '--bounding-set=-dac_override')
      : startServing(installation)
    chmodSync(installation.folder, 0o700)
    installation.remove()
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(notes).toMatch(/^error: .*cannot be written; check the rights of the file and its directory[^\n]*\n$/)
  })
})

/** A start that is expected to fail, as the last arguments of another program. */
function startServing(installation: TestInstallation, ...around: readonly string[]) {
  const binary = fileURLToPath(new URL('../dist/main.js', import.meta.url))
  const [program = '', ...rest] = [...around, process.execPath, binary, 'serve']
  const { status, stdout, stderr } = spawnSync(program, rest, {
    cwd: installation.folder,
    env: { PATH: process.env.PATH, ...installation.environment },
    encoding: 'utf8',
    timeout: 200_000,
  })
  return { code: status, out: stdout, notes: stderr }
}
