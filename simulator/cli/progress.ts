/** The charge on a terminal: one bar on stderr with power, energy and battery; one line per step elsewhere. */
import cliProgress from 'cli-progress'
import type { ChargePoint } from '../charge-point.ts'
import type { Step } from '../stories/full-charge.ts'

const REFRESH_MS = 200

export interface ChargeProgress {
  step(chargePointId: string, step: Step): void
  stop(): void
}

export interface ProgressParts {
  readonly terminal: boolean
  readonly note: (text: string) => void
  readonly now: () => number
  readonly chargePoints: readonly ChargePoint[]
  readonly durationMs: number
}

export function startChargeProgress(parts: ProgressParts): ChargeProgress {
  if (!parts.terminal) return stepLines(parts)
  const steps = new Map<string, Step>()
  const startedAt = parts.now()
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage} %  {figures}  {step}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: false,
  })
  bar.start(100, 0, { figures: '', step: 'connecting' })
  const refresh = () => {
    const share = Math.min(1, (parts.now() - startedAt) / parts.durationMs)
    bar.update(Math.floor(share * 100), { figures: figures(parts.chargePoints), step: summary(steps, parts) })
  }
  const timer = setInterval(refresh, REFRESH_MS)
  return {
    step: (chargePointId, step) => void steps.set(chargePointId, step),
    stop() {
      clearInterval(timer)
      refresh()
      bar.stop()
    },
  }
}

function stepLines(parts: ProgressParts): ChargeProgress {
  return {
    step(chargePointId, step) {
      if (parts.chargePoints.length === 1) parts.note(`${chargePointId}: ${step}`)
    },
    stop: () => undefined,
  }
}

/** Sums over all stations; the battery only where there is one car. */
export function figures(chargePoints: readonly ChargePoint[]): string {
  const connectors = chargePoints.flatMap((chargePoint) => chargePoint.snapshot().connectors)
  const powerW = connectors.reduce((sum, connector) => sum + connector.reading.powerW, 0)
  const energyWh = connectors.reduce((sum, connector) => sum + (connector.transaction?.energyWh ?? 0), 0)
  const battery = connectors.length === 1 ? `  SoC ${(connectors[0]?.reading.socPercent ?? 0).toFixed(0)} %` : ''
  return `${(powerW / 1000).toFixed(1)} kW  ${(energyWh / 1000).toFixed(2)} kWh${battery}`
}

function summary(steps: ReadonlyMap<string, Step>, parts: ProgressParts): string {
  if (parts.chargePoints.length === 1) return [...steps.values()][0] ?? 'connecting'
  const done = [...steps.values()].filter((step) => step === 'done').length
  return `${done} of ${parts.chargePoints.length} stations done`
}
