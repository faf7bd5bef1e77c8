/** Everything that an operator watches, asked of a server that has something to tell (SERVER-D1). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse, until } from './house.ts'
import { exposition, type Family } from './metrics-text.ts'
import { booted16, startOf } from './station.ts'

const ALERTS = 'deploy/prometheus/alerts.yaml'
const DASHBOARD = 'deploy/grafana/pilotwire.json'
const GUIDE = readFileSync('docs/operating.md', 'utf8')

let house: House
let families: ReadonlyMap<string, Family>
const value = (name: string, labels = ''): number | undefined => families.get(name)?.values.get(name + labels)

beforeAll(async () => {
  house = await openHouse()
  const station = await booted16(house.ocppUrl, 'EV-1')
  await station.ask('StatusNotification', { connectorId: 1, errorCode: 'GroundFailure', status: 'Faulted' })
  await station.ask('StartTransaction', startOf({ connectorId: 2 }))
  await until(async () => (await house.sessions('EV-1')).length === 1)
  await house.request('POST', '/2/evse-controllers', { id: 'EV-2', name: 'never connected' })
  await house.cli(['backup', join(house.database, '..', 'copy.db')])
  families = exposition(await read(house))
})
afterAll(() => house.close())

it('SERVER-D1: the metrics of a running server has process and event loop, and which version it is', () => {
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    expect(value(name), name).toBeGreaterThanOrEqual(0)
  }
  expect([...(families.get('pilotwire_build_info')?.values.keys() ?? [])]).toEqual([
    expect.stringMatching(/^pilotwire_build_info\{version="\d+\.\d+\.\d+",node="v\d+/),
  ])
})

it.each(['pilotwire_commit_duration_seconds', 'pilotwire_fsync_duration_seconds'])(
  'SERVER-D1: %s is a histogram of real commits',
  (name) => {
    const family = families.get(name)
    expect(family?.type).toBe('histogram')
    const count = family?.values.get(`${name}_count`) ?? 0
    expect(count).toBeGreaterThan(0)
    expect(family?.values.get(`${name}_bucket{le="+Inf"}`)).toBe(count)
    expect(family?.values.get(`${name}_sum`)).toBeGreaterThan(0)
  },
)

it('SERVER-D1: has the sizes of database, log and disk, the age of the backup, and the clock', () => {
  for (const name of ['database_bytes', 'database_wal_bytes', 'disk_bytes', 'disk_free_bytes']) {
    expect(value(`pilotwire_${name}`), name).toBeGreaterThan(0)
  }
  expect(value('pilotwire_backup_age_seconds')).toBeLessThan(600)
  expect(Math.abs((value('pilotwire_clock_seconds') ?? 0) - Date.now() / 1000)).toBeLessThan(600)
})

it('SERVER-D1: the metrics of a running server has the charge points by state, sessions and power', () => {
  const states = ['online', 'offline', 'pending'].map((state) => value('pilotwire_charge_points', `{state="${state}"}`))
  expect(states).toEqual([1, 1, 0])
  expect(value('pilotwire_charge_points_faulted')).toBe(1)
  expect(value('pilotwire_sessions_running')).toBe(1)
  for (const name of ['charge_points_charging', 'charge_points_clock_wrong', 'power_watts']) {
    expect(value(`pilotwire_${name}`), name).toBeGreaterThanOrEqual(0)
  }
})

it('SERVER-D1: every counter ends in _total, and nothing else of ours does', () => {
  expect(families.size).toBeGreaterThan(40)
  const wrong = [...families].filter(([name, { type }]) =>
    type === 'counter' ? !name.endsWith('_total') : name.startsWith('pilotwire_') && name.endsWith('_total'),
  )
  expect(wrong.map(([name]) => name)).toEqual([])
})

it.each(['docs/operating.md', 'docs/security.md', 'docs/failure-modes.md', ALERTS, DASHBOARD])(
  'SERVER-D1: %s names metrics that exist',
  (file) => {
    const named = readFileSync(file, 'utf8').match(/\b(pilotwire|process|nodejs)_[a-z0-9]+(_[a-z0-9]+)+\b/g) ?? []
    const known = (name: string): boolean =>
      families.has(name) || families.has(name.replace(/_(bucket|sum|count)$/, ''))
    expect(named.filter((name) => !known(name))).toEqual([])
  },
)

it('SERVER-D1: the operating guide names each of ours', () => {
  const ours = [...families.keys()].filter((name) => name.startsWith('pilotwire_'))
  expect(ours.filter((name) => !GUIDE.includes(`\`${name}\``))).toEqual([])
})

it('SERVER-D1: an installation that was never backed up has no age of its backup, not zero', async () => {
  const fresh = await openHouse()
  const found = exposition(await read(fresh))
  await fresh.close()
  expect(found.get('pilotwire_backup_age_seconds')?.values.size).toBe(0)
  expect(found.get('pilotwire_webhook_attempts_failed_total')?.type).toBe('counter')
})

async function read({ url }: House): Promise<string> {
  return (await fetch(`${url}/metrics`)).text()
}
