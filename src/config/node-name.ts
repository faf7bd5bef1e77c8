import { hostname } from 'node:os'
import type { Config } from './config.ts'

/** Two of one machine have two ports; who takes any free one has a process id. */
export function nodeName({ nodeName, port }: Pick<Config, 'nodeName' | 'port'>): string {
  return nodeName ?? `${hostname()}:${port === 0 ? process.pid : port}`
}
