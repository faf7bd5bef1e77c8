/** PostgreSQL with a standby under load: what is lost with its primary, and what happens without its standby. */
import { join } from 'node:path'
import { afterEach, expect, inject, it } from 'vitest'
import { Charger } from './charger.ts'
import { rowsOf, statement } from './databases.ts'
import { type NodeProcess, startNode } from './node.ts'
import { type PairKind, PostgresPair } from './pair.ts'

const STATIONS_EACH = 5

let pair: PostgresPair | undefined
let pairs = 0
const nodes: NodeProcess[] = []
const chargers: Charger[] = []
afterEach(async () => {
  for (const charger of chargers.splice(0)) charger.end()
  await Promise.all(nodes.splice(0).map((node) => node.kill('SIGKILL')))
  await pair?.close()
})

/** Two servers, with charge points that charge at each of them until `isOver`. */
async function charging(kind: PairKind, isOver: () => boolean) {
  const database = await PostgresPair.open(join(inject('postgresFolder'), `pair-${++pairs}`), 'pair', kind)
  pair = database
  for (const name of ['one', 'two']) nodes.push(await startNode(database.url, name))
  for (const { url } of nodes) {
    for (let n = 0; n < STATIONS_EACH; n++) {
      chargers.push(new Charger(`${url.replace('http', 'ws')}/ocpp`, `CP-${chargers.length + 1}`, 50))
    }
  }
  const ended = Promise.all(chargers.map((charger) => charger.chargeUntil(isOver)))
  await untilAllGoOn()
  return { database, ended }
}

const counts = (): readonly number[] => chargers.map(({ acknowledged }) => acknowledged.size)

/** Each of them has had more answers. */
async function untilAllGoOn(): Promise<void> {
  const before = counts()
  await expect.poll(() => counts().every((count, index) => count > (before[index] ?? 0) + 5)).toBe(true)
}

async function lost(database: PostgresPair): Promise<readonly string[]> {
  const acknowledged = chargers.flatMap((charger) => [...charger.acknowledged])
  const rows = await rowsOf<{ id: string }>(
    database.primaryUrl,
    'SELECT DISTINCT message_id AS id FROM commands WHERE direction = 0',
  )
  const logged = new Set(rows.map(({ id }) => id))
  return acknowledged.filter((id) => !logged.has(id))
}

const incarnations = (database: PostgresPair) =>
  rowsOf<{ name: string; incarnation: number }>(
    database.primaryUrl,
    `SELECT name, incarnation::int AS incarnation FROM nodes WHERE slot < 63 ORDER BY name`,
  )

const readiness = () => Promise.all(nodes.map(async (node) => (await node.get('/readyz')).status))

it('STORE-N15: one that commits wait for takes over again and again: nothing acknowledged is lost, no socket is closed', async () => {
  let isOver = false
  const { database, ended } = await charging('synchronous', () => isOver)
  for (const isStalled of [false, true, false]) {
    if (isStalled) {
      database.stallStandby()
      // Messages are under way that no standby has.
      await expect.poll(() => chargers.every(({ waitsSince }) => waitsSince !== undefined)).toBe(true)
    }
    await database.failOver()
    await untilAllGoOn()
  }
  isOver = true
  await ended
  expect(await lost(database)).toEqual([])
  for (const { errors, closes } of chargers) expect({ errors, closes }).toEqual({ errors: [], closes: [] })
  const energy = chargers.flatMap(({ charges }) => charges.map(({ energyKwh }) => energyKwh))
  const rows = await rowsOf<{ milliWh: string }>(
    database.primaryUrl,
    'SELECT energy_milli_wh::text AS "milliWh" FROM sessions',
  )
  expect(rows.map(({ milliWh }) => Number(milliWh) / 1_000_000)).toEqual(energy)
})

it('STORE-N15: one that commits do not wait for loses what was acknowledged last', async () => {
  const { database } = await charging('asynchronous', () => false)
  database.stallStandby()
  await untilAllGoOn()
  await database.failOver()
  expect((await lost(database)).length).toBeGreaterThan(0)
})

it('STORE-N11, STORE-N15: without it commits wait, sockets stay, readiness says so, and afterwards nobody is fenced', async () => {
  let isOver = false
  const { database, ended } = await charging('synchronous', () => isOver)
  const before = await incarnations(database)
  await database.stopStandby()
  await expect.poll(readiness).toEqual([503, 503])
  const waiting = counts()
  const silent = `SELECT count(*)::int AS n FROM nodes
      WHERE (extract(epoch FROM clock_timestamp()) * 1000)::bigint - seen_at > 20000`
  await expect.poll(() => rowsOf(database.primaryUrl, silent)).toEqual([{ n: 2 }])
  expect(counts()).toEqual(waiting)
  await database.startStandby()
  await untilAllGoOn()
  await expect.poll(readiness).toEqual([200, 200])
  // One that is gone is fenced as soon as one of them judges others again.
  await statement(
    database.primaryUrl,
    `INSERT INTO nodes (slot, incarnation, last_group, last_id, seen_at, since, name, version, state)
       VALUES (63, 1, 0, 0, 1, 1, 'gone', '', 'live')`,
  )
  const gone = `SELECT state FROM nodes WHERE slot = 63`
  await expect.poll(() => rowsOf(database.primaryUrl, gone)).toEqual([{ state: 'fenced' }])
  isOver = true
  await ended
  expect(await incarnations(database)).toEqual(before)
  expect(await lost(database)).toEqual([])
  for (const { errors, closes } of chargers) expect({ errors, closes }).toEqual({ errors: [], closes: [] })
})
