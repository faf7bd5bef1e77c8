/** A bench runs several processes; each plays one role and is driven by messages from the main one. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export type RoleActions = Readonly<Record<string, (argument: never) => Promise<unknown>>>

interface Order {
  readonly order: number
  readonly action: string
  readonly argument: unknown
}

interface Report {
  readonly order: number
  readonly result?: unknown
  readonly error?: string
}

/** In the child: carries out orders until the main process ends it. */
export function playRole(actions: RoleActions): void {
  process.on('message', (message: Order) => {
    const action = actions[message.action]
    if (!action) return
    action(message.argument as never).then(
      (result) => process.send?.({ order: message.order, result }),
      (error: unknown) => process.send?.({ order: message.order, error: String(error) }),
    )
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(READY)
}

/** Said once by a role that listens: an order that comes earlier could be delivered to nobody. */
const READY = { ready: true }

export interface Player {
  readonly pid: number
  /** Rejects with the error of the role, or when its process ended. */
  order(action: string, argument?: unknown): Promise<unknown>
  end(): Promise<void>
}

/** Starts this very program again in a role. `nodeOptions` are options of node itself. */
export async function startRole(role: string, nodeOptions: readonly string[] = []): Promise<Player> {
  const child = fork(process.argv[1] ?? '', ['role', role], {
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return directed(child)
}

/** A child process that understands orders (`playRole`, or the memory agent). */
export function directed(child: ChildProcess): Player {
  let lastOrder = 0
  const waiting = new Map<number, (report: Report) => void>()
  child.on('message', (report: Report) => {
    waiting.get(report.order)?.(report)
    waiting.delete(report.order)
  })
  child.on('exit', (code, signal) => {
    for (const [order, settle] of waiting) settle({ order, error: `the process ended (${signal ?? code})` })
    waiting.clear()
  })
  return {
    pid: child.pid ?? 0,
    order: (action, argument) =>
      new Promise((resolve, reject) => {
        const order = ++lastOrder
        waiting.set(order, (report) =>
          report.error === undefined ? resolve(report.result) : reject(new Error(`${action}: ${report.error}`)),
        )
        child.send({ order, action, argument } satisfies Order)
      }),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
