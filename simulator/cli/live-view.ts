/** A run as it goes: one line that renews itself on a terminal, a plain line now and then in a pipe. */

import { type CliContext, UsageError } from '../../src/server/cli/cli-context.ts'
import { untilSignal } from '../../src/server/cli/output/signals.ts'
import { systemClock } from '../../src/server/system.ts'
import type { Figures } from '../fleet/figures.ts'
import { ChargePoint } from '../library/charge-point.ts'
import { openWindow, type Window } from '../ui/window.ts'
import { carOf, connectionOf, DEFAULT_ID, type Located, seedOf } from './plan.ts'

interface LiveViewContext extends Pick<CliContext, 'terminal' | 'note' | 'now'> {
  readonly stations: readonly ChargePoint[]
  readonly expected: number
  readonly figures: Figures
}

const REDRAW_MS = 200
const LINE_EVERY_MS = 5_000
const CLEAR = '\r\u001b[K'

export function startLiveView(parts: LiveViewContext) {
  const startedAt = parts.now()
  let last = { at: startedAt, calls: 0 }
  let lastStep = ''
  const line = (): string => {
    const now = parts.now()
    const rate = ((parts.figures.calls - last.calls) / Math.max(1, now - last.at)) * 1000
    last = { at: now, calls: parts.figures.calls }
    const step = parts.expected === 1 && lastStep ? `  ${lastStep}` : ''
    return `${stationFigures(parts)}  ${rate.toFixed(0)} calls/s  ${latencies(parts.figures)}${step}`
  }
  const timer = setInterval(
    () => (parts.terminal ? draw(`${CLEAR}${line()}`) : parts.note(line())),
    parts.terminal ? REDRAW_MS : LINE_EVERY_MS,
  )
  timer.unref()
  return {
    step(chargePointId: string, step: string): void {
      lastStep = step
      if (parts.expected === 1 && !parts.terminal) parts.note(`${chargePointId}: ${step}`)
    },
    stop(): void {
      clearInterval(timer)
      if (parts.terminal) draw(CLEAR)
    },
  }
}

function draw(text: string): void {
  process.stderr.write(text)
}

function stationFigures({ stations, expected }: LiveViewContext): string {
  const states = stations.map(({ state }) => state)
  const connectors = states.flatMap((state) => state.connectors)
  const connected = states.filter(({ online }) => online).length
  const charging = connectors.filter(({ status }) => status === 'Charging').length
  const powerKw = connectors.reduce((sum, { reading }) => sum + reading.powerW, 0) / 1000
  const one = connectors.length === 1 ? connectors[0] : undefined
  const battery = one ? `  battery ${one.reading.socPercent.toFixed(0)} %` : ''
  return `${connected} of ${expected} connected  ${charging} charging  ${powerKw.toFixed(1)} kW${battery}`
}

function latencies(figures: Figures): string {
  const { p50, p95, p99 } = figures.latency()
  const errors = figures.callErrors + figures.timeouts
  return `p50 ${p50} p95 ${p95} p99 ${p99} ms  ${errors} errors`
}

const DEFAULT_PORT = 8090
const DEFAULT_SPEED = 60

export async function showWindow(options: Located, context: CliContext): Promise<void> {
  if (options.speed === 'max') throw new UsageError('--ui is watched by people: give --speed as a factor, e.g. 60x.')
  const signal = untilSignal(context)
  let window: Window | undefined
  const seed = seedOf(options, context)
  const id = options.id ?? DEFAULT_ID
  const { vehicle, soc } = carOf(options, seed, id)
  const cp = await ChargePoint.connect({
    ...connectionOf(options),
    id,
    ocpp: options.ocpp ?? '1.6',
    speed: options.speed ?? DEFAULT_SPEED,
    seed,
    quirks: options.quirk ?? [],
    personTime: systemClock,
    vehicle,
    frame: (direction, frame) => window?.seen(direction, frame),
    problem: (message) => context.note(message),
  })
  try {
    const port = typeof options.ui === 'number' ? options.ui : DEFAULT_PORT
    window = await openWindow({ cp, idToken: options.idToken, soc, port }).catch((error: unknown) => {
      const { code, message } = error as NodeJS.ErrnoException
      const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${code ?? message})`
      throw new Error(`port ${port} ${why}: name another one with --ui PORT; --ui 0 takes any free one`)
    })
    await cp.boot()
    context.out(window.url)
    context.note('Ctrl-C ends it.')
    await signal.received
  } finally {
    signal.dispose()
    await window?.close()
    await cp.close()
  }
}
