/** Two servers on one database, simulated stations behind one fuse at both of them, and a server that is killed. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChargePoint } from '../../simulator/index.ts'
import { partner } from '../house.ts'
import { Balancer } from './balancer.ts'
import { rowsOf } from './databases.ts'
import { type NodeOfTest, type Nodes, openNodes } from './nodes.ts'

const STATIONS = 6
const LIMIT_AMPS = 60

interface Status {
  readonly state: string
  readonly allowedAmps: readonly number[]
  readonly data: readonly { readonly state: string; readonly mayDrawAmps: number; readonly drawAmps?: number }[]
}

let installation: Nodes
let balancer: Balancer
const stations: ChargePoint[] = []
/** The largest current of a phase that was ever measured in front of all of them. */
let most = 0
let measuring: NodeJS.Timeout

const measured = (): number =>
  Math.max(...[0, 1, 2].map((phase) => stations.reduce((sum, one) => sum + (one.current()[phase] ?? 0), 0)))
const node = (at: number): NodeOfTest => {
  const found = installation.nodes[at]
  if (!found) throw new Error('There is no such node.')
  return found
}
const ask = (at: number) => partner(node(at).url, installation.credential)
const status = async (at: number): Promise<Status> =>
  (await ask(at).request('GET', '/2/limit-groups/fuse/status')).body as unknown as Status
const statesOf = async (at: number) => (await status(at)).data?.map(({ state }) => state)
const all = (state: string) => Array.from({ length: STATIONS }, () => state)
const planOf = async (): Promise<number> => {
  const [row] = await rowsOf<{ revision: string }>(installation.databaseUrl, 'SELECT revision FROM limit_plans')
  return Number(row?.revision)
}

beforeAll(async () => {
  installation = await openNodes(2)
  balancer = await Balancer.listen(installation.nodes.map(({ port }) => port))
  for (let at = 0; at < STATIONS; at++) {
    const options = { ocpp: at % 2 === 0 ? '1.6' : '2.0.1', sampleSeconds: 20, speed: 20, seed: at } as const
    const station = await ChargePoint.connect({ url: balancer.ocppUrl, id: `F-${at}`, ...options })
    await station.boot()
    stations.push(station)
  }
  measuring = setInterval(() => {
    most = Math.max(most, measured())
  }, 20)
})
afterAll(async () => {
  clearInterval(measuring)
  for (const { station } of stations) await station.powerOff()
  balancer.close()
  await installation.close()
})

it('GROUP-A2, STORE-M3: each server knows what the stations of the other one may draw, and draw', async () => {
  const group = { amps: LIMIT_AMPS, fallbackAmps: 0, leaseSeconds: 60, selector: {} }
  expect(await ask(0).request('PUT', '/2/limit-groups/fuse', group)).toMatchObject({ status: 201 })
  await expect.poll(async () => (await status(1)).state).toBe('ok')
  for (const [at, station] of stations.entries()) {
    await station.plug(1, { soc: 20 })
    await station.swipe(1, `CARD-${at}`)
  }
  await expect.poll(measured).toBeGreaterThan(LIMIT_AMPS - 3)
  for (const at of [0, 1]) {
    await expect.poll(() => statesOf(at)).toEqual(all('charging'))
    const known = async () => (await status(at)).data.map(({ drawAmps = 0 }) => drawAmps > 5)
    await expect.poll(known).toEqual(all('').map(() => true))
  }
  expect(await ask(1).request('GET', '/2/limit-groups/fuse/history')).toMatchObject({ status: 200 })
  expect(most).toBeLessThanOrEqual(LIMIT_AMPS)
})

it.each([0, 1])(
  'GROUP-A1, GROUP-A9: server %i is killed: the other one plans on with all that was given',
  async (killed) => {
    const other = 1 - killed
    await node(killed).kill()
    const before = await planOf()
    await expect.poll(() => statesOf(other)).toEqual(all('charging'))
    await expect.poll(planOf).toBeGreaterThan(before)
    await expect.poll(async () => Math.max(...(await status(other)).allowedAmps)).toBeGreaterThan(LIMIT_AMPS - 3)
    await expect.poll(measured).toBeGreaterThan(LIMIT_AMPS - 3)
    expect(Math.max(...(await status(other)).allowedAmps)).toBeLessThanOrEqual(LIMIT_AMPS)
    expect(most).toBeLessThanOrEqual(LIMIT_AMPS)
    if (killed === 1) return
    await installation.startAgain(killed)
    await expect.poll(() => statesOf(killed)).toEqual(all('charging'))
  },
)
