/** The service without a running systemd: installed below a folder, its wrapper and its backups carried out here. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Thousands of files are copied; a busy machine takes its time for them.

const UNITS = ['pilotwire.service', 'pilotwire-backup.service', 'pilotwire-backup.timer']
const NO_USER = 65_534
const isRoot = process.getuid?.() === 0
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd) console.warn('There is no systemd-analyze on this machine: the units are read, but not verified.')

const root = mkdtempSync(join(tmpdir(), 'pilotwire-service-'))
const at = (...path: readonly string[]): string => join(root, ...path)
const state = at('var/lib/pilotwire')
const backups = at('var/backups/pilotwire')
const wrapper = at('usr/local/bin/pilotwire')

beforeAll(() => {
  execFileSync('deploy/systemd/install.sh', { env: { ...process.env, DESTDIR: root } })
  mkdirSync(state, { recursive: true })
  const user = isRoot ? 'nobody' : userInfo().username
  const moved = readFileSync(wrapper, 'utf8')
    .replaceAll('user=pilotwire', `user=${user}`)
    .replaceAll('=/opt/', `=${root}/opt/`)
    .replaceAll('=/etc/', `=${root}/etc/`)
  writeFileSync(wrapper, moved)
  writeFileSync(
    at('etc/pilotwire/environment'),
    `# as installed\nPILOTWIRE_DATABASE_URL=file:${state}/pilotwire.db\nPILOTWIRE_ADMIN_EMAIL="ops@example.com"\nPILOTWIRE_RATE_V1=7\n`,
  )
  chmodSync(root, 0o755)
  if (isRoot) for (const path of [state, backups, at('etc/pilotwire/environment')]) chownSync(path, NO_USER, NO_USER)
})
afterAll(() => rmSync(root, { recursive: true }))

const pilotwire = (...args: readonly string[]) =>
  spawnSync(wrapper, args, { cwd: '/', encoding: 'utf8', env: { PATH: `${dirname(wrapper)}:${process.env.PATH}` } })

describe('SERVER-E3: the service', () => {
  it.skipIf(!hasSystemd)('its units are sound to systemd, and it calls them well protected', () => {
    const units = UNITS.map((name) => {
      const copy = at(name)
      const moved = readFileSync(at('etc/systemd/system', name), 'utf8').replaceAll('=/opt/', `=${root}/opt/`)
      writeFileSync(copy, moved)
      return copy
    })
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' })
    // What it says of other units on this machine is not about ours.
    expect([status, stderr.split('\n').filter((line) => line.includes('pilotwire'))]).toEqual([0, []])
    for (const unit of units.filter((name) => name.endsWith('.service'))) {
      const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' })
      expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2)
    }
  })

  it('waits for the network, restarts, and has a file for each charge point', () => {
    const unit = readFileSync('deploy/systemd/pilotwire.service', 'utf8')
    for (const line of [
      /^Wants=network-online\.target$/m,
      /^After=network-online\.target/m,
      /^Restart=always$/m,
      /^LimitNOFILE=65536$/m,
    ]) {
      expect(unit).toMatch(line)
    }
  })

  it('runs every command as the service’s user with the service’s settings, from any folder', () => {
    const { stdout, stderr, status } = pilotwire('config', 'print', '--json')
    expect([status, stderr]).toEqual([0, ''])
    const settings = new Map(
      (JSON.parse(stdout) as { name: string; value: string }[]).map(({ name, value }) => [name, value]),
    )
    expect(settings.get('PILOTWIRE_RATE_V1')).toBe('7')
    expect(settings.get('PILOTWIRE_ADMIN_EMAIL')).toBe('ops@example.com')
    expect(pilotwire('account', 'create', '--name', 'Depot North').status).toBe(0)
    if (isRoot) expect(statSync(join(state, 'pilotwire.db')).uid).toBe(NO_USER)
    expect(pilotwire('nonsense').status).toBe(2)
  })

  it.skipIf(!isRoot)('another user is told what to do', () => {
    const { status, stderr } = spawnSync(wrapper, ['doctor'], { encoding: 'utf8', uid: 12_345 })
    expect([status, stderr]).toEqual([1, expect.stringContaining('sudo pilotwire')])
  })

  it('installed again, it keeps settings and the program before', () => {
    const settings = readFileSync(at('etc/pilotwire/environment'), 'utf8')
    const moved = readFileSync(wrapper)
    execFileSync('deploy/systemd/install.sh', { env: { ...process.env, DESTDIR: root } })
    writeFileSync(wrapper, moved)
    expect(readFileSync(at('etc/pilotwire/environment'), 'utf8')).toBe(settings)
    for (const program of ['pilotwire', 'pilotwire.previous']) {
      expect(existsSync(at('opt', program, 'dist/main.js'))).toBe(true)
    }
  })
})

describe('SERVER-E4: backups of the service', () => {
  const kept = (): readonly string[] =>
    readdirSync(backups)
      .filter((name) => name.endsWith('.db'))
      .sort()
  /** As the unit runs it. */
  const backup = (keep: string, url = `file:${join(state, 'pilotwire.db')}`) =>
    spawnSync(at('opt/pilotwire/deploy/systemd/backup.sh'), [backups, keep], {
      encoding: 'utf8',
      cwd: state,
      env: { PATH: `${dirname(wrapper)}:${process.env.PATH}`, PILOTWIRE_DATABASE_URL: url },
      ...(isRoot && { uid: NO_USER, gid: NO_USER }),
    })

  it('a new one is checked and the oldest go; files of charge points are copied, other files stay', () => {
    expect(pilotwire('account', 'create', '--name', 'Depot South').status).toBe(0)
    for (const day of ['20260101', '20260102', '20260103']) {
      copyFileSync('package.json', join(backups, `pilotwire-${day}T031500Z.db`))
    }
    writeFileSync(join(backups, 'mine.db'), 'not ours')
    mkdirSync(join(state, 'pilotwire.db.files'), { recursive: true })
    writeFileSync(join(state, 'pilotwire.db.files', 'image'), 'firmware')
    const { status, stderr } = backup('2')
    expect([status, stderr]).toEqual([0, expect.stringContaining('secret key is not in the backup')])
    const [mine, older, newest] = kept()
    expect([mine, older]).toEqual(['mine.db', 'pilotwire-20260103T031500Z.db'])
    expect(newest).toMatch(/^pilotwire-\d{8}T\d{6}Z\.db$/)
    expect(readFileSync(join(backups, 'files/image'), 'utf8')).toBe('firmware')
    expect(pilotwire('restore', join(backups, newest ?? '')).status).toBe(0)
    expect(pilotwire('account', 'list').stdout).toContain('Depot South')
  })

  it('the timer failed every night on PostgreSQL: there the files are copied, and no backup goes', () => {
    const before = kept()
    mkdirSync(join(state, 'data/pilotwire.files'), { recursive: true })
    writeFileSync(join(state, 'data/pilotwire.files', 'log'), 'of a charge point')
    const { status, stderr } = backup('1', 'postgres://pilotwire:secret@db:5432/pilotwire')
    expect([status, stderr]).toEqual([0, expect.stringContaining('back up the PostgreSQL database where it runs')])
    expect(readFileSync(join(backups, 'files/log'), 'utf8')).toBe('of a charge point')
    expect(kept()).toEqual(before)
  })

  it('one that fails removes nothing', () => {
    const before = kept()
    const content = readFileSync(join(state, 'pilotwire.db'))
    writeFileSync(join(state, 'pilotwire.db'), 'this is a letter, not a database '.repeat(100))
    expect(backup('1').status).not.toBe(0)
    expect(kept()).toEqual(before)
    writeFileSync(join(state, 'pilotwire.db'), content)
  })
})
