/** The simulator as its users start it, in a process of its own: one call of `pilotwire simulate`. */
import { randomBytes } from 'node:crypto'
import { run } from '../../src/server/cli/run.ts'
import { playRole } from './role.ts'

export interface SimulatorRun {
  readonly exitCode: number
  /** What it printed. */
  readonly out: string
  readonly notes: string
  /** Processor time of this process meanwhile. */
  readonly cpuMs: number
}

export function playSimulator(): void {
  playRole({
    async simulate({ args }: { readonly args: readonly string[] }): Promise<SimulatorRun> {
      const out: string[] = []
      const notes: string[] = []
      const before = process.cpuUsage()
      const exitCode = await run(['simulate', ...args], {
        environment: {},
        out: (text) => out.push(text),
        note: (text) => notes.push(text),
        now: Date.now,
        random: randomBytes,
        terminal: false,
      })
      const { user, system } = process.cpuUsage(before)
      return { exitCode, out: out.join('\n'), notes: notes.join('\n'), cpuMs: (user + system) / 1000 }
    },
  })
}
