/** SIGTERM and SIGINT: the first asks for an orderly end, the second does not wait for it. */
import type { CliContext } from '../cli-context.ts'

interface SignalWait {
  readonly received: Promise<NodeJS.Signals>
  /** After an orderly end: signals end the process as they always do. */
  dispose(): void
}

export function untilSignal(context: Pick<CliContext, 'note'>): SignalWait {
  const names = ['SIGTERM', 'SIGINT'] as const
  let receive: (signal: NodeJS.Signals) => void
  const received = new Promise<NodeJS.Signals>((resolve) => {
    receive = resolve
  })
  let seen = false
  const handle = (signal: NodeJS.Signals): void => {
    if (seen) {
      context.note(`${signal} again: ending at once. Nothing that was answered is lost.`)
      process.exit(1)
    }
    seen = true
    receive(signal)
  }
  for (const name of names) process.on(name, handle)
  const dispose = (): void => {
    for (const name of names) process.off(name, handle)
  }
  return { received, dispose }
}
