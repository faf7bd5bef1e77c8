/** A run as it goes: one line that renews itself on a terminal, a plain line now and then in a pipe. */
import type { Figures } from '../fleet/figures.ts'
import type { ChargePoint } from '../library/charge-point.ts'

export interface LiveView {
  step(chargePointId: string, step: string): void
  stop(): void
}

export interface LiveViewContext {
  readonly terminal: boolean
  readonly note: (text: string) => void
  readonly draw: (text: string) => void
  readonly now: () => number
  readonly stations: () => readonly ChargePoint[]
  readonly expected: number
  readonly figures: Figures
}

const REDRAW_MS = 200
const LINE_EVERY_MS = 5_000
const CLEAR = '\r\u001b[K'

export function startLiveView(parts: LiveViewContext): LiveView {
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
    () => (parts.terminal ? parts.draw(`${CLEAR}${line()}`) : parts.note(line())),
    parts.terminal ? REDRAW_MS : LINE_EVERY_MS,
  )
  timer.unref()
  return {
    step(chargePointId, step) {
      lastStep = step
      if (parts.expected === 1 && !parts.terminal) parts.note(`${chargePointId}: ${step}`)
    },
    stop() {
      clearInterval(timer)
      if (parts.terminal) parts.draw(CLEAR)
    },
  }
}

function stationFigures({ stations, expected }: LiveViewContext): string {
  const states = stations().map(({ state }) => state)
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
