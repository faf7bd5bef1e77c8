/** A progress bar on stderr; silent where stderr is no terminal. */
import cliProgress from 'cli-progress'
import type { CliContext } from '../cli-context.ts'

export interface Progress {
  update(value: number, total?: number): void
  stop(): void
}

export function startProgress(context: CliContext, unit: string, total: number): Progress {
  if (!context.terminal) return { update: () => {}, stop: () => {} }
  const started = context.now()
  const bar = new cliProgress.SingleBar({
    format: `{bar} {percentage} %  {value}/{total} ${unit}  {rate} ${unit}/s  ETA {eta_formatted}`,
    stream: process.stderr,
    hideCursor: true,
    etaBuffer: 50,
  })
  bar.start(total, 0, { rate: 0 })
  return {
    update(value, newTotal) {
      if (newTotal !== undefined) bar.setTotal(newTotal)
      bar.update(value, { rate: Math.round(value / Math.max(0.001, (context.now() - started) / 1000)) })
    },
    stop: () => bar.stop(),
  }
}
