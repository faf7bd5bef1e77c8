/** Simulated stations of both versions with running charges, which report their meters at a fixed rate. */
import { setTimeout as wait } from 'node:timers/promises'
import { type ChargePoint, createChargePoint } from '../../simulator/charge-point.ts'
import { playRole } from './role.ts'

export interface FleetOrder {
  readonly url: string
  readonly stations: number
  /** Of them, known to the server and without a connection. */
  readonly away: number
  readonly callsPerSecond: number
}

export interface FleetLatencies {
  readonly latenciesMs: readonly number[]
  readonly errors: number
}

const AT_ONCE = 20
const SLICE_MS = 5

export function playFleet(): void {
  let stations: readonly ChargePoint[] = []
  let latenciesMs: number[] = []
  let errors = 0
  playRole({
    /** Resolves when all have booted and charge. */
    async open({ url, stations: count, away, callsPerSecond }: FleetOrder): Promise<void> {
      const made = Array.from({ length: count }, (_, at) =>
        createChargePoint({
          protocol: at % 10 < 7 ? 'ocpp1.6' : 'ocpp2.0.1',
          url,
          id: `B13-${String(at).padStart(5, '0')}`,
          seed: at,
          strict: false,
          observer: {
            called(outcome, latencyMs, method) {
              if (outcome !== 'result') errors += 1
              else if (method === 'MeterValues' || method === 'TransactionEvent') latenciesMs.push(latencyMs)
            },
          },
        }),
      )
      for (let from = 0; from < made.length; from += AT_ONCE) {
        await Promise.all(made.slice(from, from + AT_ONCE).map(charging))
      }
      for (const station of made.slice(0, away)) await station.powerOff()
      stations = made.slice(away)
      void keepReporting(stations, callsPerSecond)
    },

    /** What was measured since the last time. */
    async take(): Promise<FleetLatencies> {
      const taken = { latenciesMs, errors }
      latenciesMs = []
      errors = 0
      return taken
    },
  })
}

async function charging(station: ChargePoint): Promise<void> {
  await station.connect()
  await station.boot()
  await station.plug(1)
  await station.start(1, { idToken: { id: 'CARD', type: 'ISO14443' } })
}

/** An open loop: what is due is said, whatever the server does. */
async function keepReporting(stations: readonly ChargePoint[], callsPerSecond: number): Promise<void> {
  const startedAt = performance.now()
  for (let said = 0; ; ) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * callsPerSecond)
    for (; said < due; said++) void stations[said % stations.length]?.meterValues(1).catch(() => undefined)
    await wait(SLICE_MS)
  }
}
