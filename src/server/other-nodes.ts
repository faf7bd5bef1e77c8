import type { Config } from '../config/config.ts'
import { isPostgres } from '../config/database-path.ts'
import { nodeName } from '../config/node-name.ts'
import { databaseAt } from '../storage/open.ts'
import { systemClock } from './system.ts'

/** The successor of a server that has ended begins this much later. */
const KEEPER_KNOWN_MS = 5000

/** Whether no other server uses this database: what is left over is then in no other server's hands. */
export async function isAloneOn(config: Config): Promise<boolean> {
  const nodes = (await databaseAt(config.databaseUrl).nodes()) ?? []
  return nodes.every(({ name, state }) => name === nodeName(config) || state === 'fenced')
}

/** STORE-N14: the server that has run for longest watches, mails and drives campaigns. Undefined where there is one. */
export function keeper(config: Config): (() => Promise<boolean>) | undefined {
  if (!isPostgres(config.databaseUrl)) return undefined
  let known: { readonly at: number; readonly isOurs: boolean } | undefined
  return async () => {
    const now = systemClock.monotonic()
    if (known && now - known.at < KEEPER_KNOWN_MS) return known.isOurs
    const live = ((await databaseAt(config.databaseUrl).nodes()) ?? []).filter(({ state }) => state === 'live')
    const [first] = [...live].sort((a, b) => a.since - b.since || (a.name < b.name ? -1 : 1))
    known = { at: now, isOurs: first?.name === nodeName(config) }
    return known.isOurs
  }
}
