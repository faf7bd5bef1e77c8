/** BENCH-P12: a command for a charge point that is connected to another node than the one that is asked. */
import { Charger } from '../../test/postgres/charger.ts'
import { withDirectory } from '../places.ts'
import type { BenchPostgres } from '../postgres/server.ts'
import { type Measurement, percentile } from '../verdict.ts'
import { startNodes } from './nodes.ts'

const STATIONS = 50
const ONE_BY_ONE = 200
const RATE_MS = 10_000

export function measureCommands(postgres: BenchPostgres): Promise<readonly Measurement[]> {
  return postgres.withDatabase((url) =>
    withDirectory(async (directory) => {
      const { nodes, credential, end } = await startNodes(directory, url, 2)
      const [asked, owner] = nodes
      if (!asked || !owner) throw new Error('There are not two nodes.')
      const stations = Array.from({ length: STATIONS }, (_, n) => new Charger(owner.ocppUrl, `CP-${n}`))
      try {
        await Promise.all(stations.map((station) => station.say('Heartbeat', {})))
        const order = async (ocppUrl: string, n: number): Promise<number> => {
          const startedAt = performance.now()
          const path = `/2/evse-controllers/CP-${n % STATIONS}/commands`
          const response = await fetch(ocppUrl.replace('ws:', 'http:').replace('/ocpp', path), {
            method: 'POST',
            headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
            body: JSON.stringify({ method: 'ClearCache', request: {}, wait: 20 }),
          })
          const { status } = (await response.json()) as { readonly status: string }
          if (status !== 'success') throw new Error(`A command was answered ${response.status} ${status}.`)
          return performance.now() - startedAt
        }
        const direct: number[] = []
        const across: number[] = []
        for (let n = 0; n < ONE_BY_ONE; n++) {
          direct.push(await order(owner.ocppUrl, n))
          across.push(await order(asked.ocppUrl, n))
        }
        const until = performance.now() + RATE_MS
        let answered = 0
        await Promise.all(
          stations.map(async (_, n) => {
            while (performance.now() < until) {
              await order(asked.ocppUrl, n)
              answered++
            }
          }),
        )
        const [here, there] = [percentile(direct, 0.5), percentile(across, 0.5)]
        const rate = answered / (RATE_MS / 1000)
        return [
          {
            id: 'P12',
            what: 'what a command takes longer through another node, median, in ms',
            ours: `${there.toFixed(1)} ms`,
            limit: `${here.toFixed(1)} ms through the node that has the charge point`,
            ratio: there - here,
            must: 10,
            aim: 4,
            better: 'lower',
          },
          {
            id: 'P12',
            what: 'commands through another node per second',
            ours: `${Math.round(rate)}/s`,
            limit: 'commands per second',
            ratio: rate,
            must: 500,
            aim: 2_000,
            better: 'higher',
          },
        ]
      } finally {
        for (const station of stations) station.end()
        await end()
      }
    }),
  )
}
