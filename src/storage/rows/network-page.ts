import type { NetworkLogPage, NetworkLogQuery } from '../../domain/ports/storage-queries.ts'
import type { Command } from '../../domain/ports/storage-records.ts'

/**
 * The log of a whole account, searched backwards in parts: the index starts with the charge points, so a part costs a
 * probe for each, and then its rows. Parts are narrow at first, as a page is mostly found among the newest rows, and
 * widen while they cost little.
 */

/** In log ids. */
const SECOND = 1000 * 4096
const MAX_CHANGE = 8

/** A part of the window, and how many of its newest rows to read. */
interface NetworkPart {
  readonly fromId: number
  /** Exclusive. */
  readonly below: number
  readonly requested: number
}

interface Found {
  readonly rows: readonly Command[]
  readonly tookMs: number
}

/** Asks its engine part by part. @param targetMs what one part should take */
export function* networkPage(query: NetworkLogQuery, targetMs: number): Generator<NetworkPart, NetworkLogPage, Found> {
  const { fromId, toId, belowId = toId, limit, workMs } = query
  const rows: Command[] = []
  let spentMs = 0
  let width = SECOND
  for (let below = Math.min(toId, belowId); below > fromId; ) {
    const part = { fromId: Math.max(fromId, below - width), below, requested: limit - rows.length }
    const found = yield part
    rows.push(...found.rows)
    if (rows.length >= limit) return { rows }
    below = part.fromId
    spentMs += found.tookMs
    if (spentMs >= workMs && below > fromId) return { rows, lookedTo: below }
    const change = targetMs / Math.max(found.tookMs, 1)
    width = Math.ceil(width * Math.max(1 / MAX_CHANGE, Math.min(MAX_CHANGE, change)))
  }
  return { rows }
}

/** For LIKE with `\` as its escape: the text anywhere. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
