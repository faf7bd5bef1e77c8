/**
 * A node among others (STORE-N8 to STORE-N11): sends signs of life, notices losses, takes over silent nodes, is ready.
 */

import type { Log } from '../../../domain/ports/core.ts'
import type { Ownership, OwnershipListener } from '../../../domain/ports/nodes.ts'
import { type After, type Pool, repeat } from '../connection/pool.ts'
import { ALIVE, NOW_MS, SILENT_MS } from '../functions/group.ts'
import type { PostgresCoreStore } from './core-store.ts'
import type { Node } from './node.ts'
import type { NodeIdentity } from './registration.ts'

/** A lost charge point's socket must close within five seconds; this leaves room for a slow database. */
const LOOK_EVERY_MS = 400
const BEAT_EVERY_MS = 1_000
const ADOPT_AGAIN_MS = 5_000
/** A failover of the database takes seconds, and affects every node: a balancer would have nowhere to go. */
const NOT_READY_AFTER_MS = 10_000
const CUT_OFF_AFTER_MS = 60_000
/** Log ids and expiries use this machine's clock. */
const MAX_CLOCK_ERROR_MS = 5_000

const HAS_OTHERS = `SELECT EXISTS (SELECT 1 FROM nodes AS n
  WHERE slot <> $1 AND name <> '' AND state = 'live' AND ${ALIVE})`
const LOOK = `SELECT incarnation, lost, ${NOW_MS} AS at FROM nodes WHERE slot = $1`
const MINE = `SELECT charge_point AS id, epoch FROM charge_point_owners WHERE slot = $1 AND incarnation = $2`
const FENCE_SILENT = `UPDATE nodes SET state = 'fenced', incarnation = incarnation + 1
  WHERE slot <> $1 AND state <> 'fenced' AND ${NOW_MS} - seen_at > ${SILENT_MS} RETURNING name`
/** Changes when a node ends, starts or restarts. */
const INCARNATIONS = `SELECT coalesce(string_agg(slot || ':' || incarnation, ' ' ORDER BY slot), '') FROM nodes WHERE slot <> $1`

interface OwnershipContext {
  readonly node: Node
  readonly pool: Pool
  readonly claim: PostgresCoreStore['claim']
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly after: After
  readonly log: Pick<Log, 'info' | 'warn'> | undefined
}

interface RunningOwnership extends Ownership {
  readonly look: () => Promise<void>
  stop(): void
}

export function nodeOwnership(parts: OwnershipContext, first: NodeIdentity): RunningOwnership {
  const { node, pool, claim, now, after, log } = parts
  let known = first
  let listener: OwnershipListener | undefined
  let isDraining = false
  let isStopped = false
  let isFenced = false
  let isCutOff = false
  let isToAdopt = false
  let isAdopting = false
  let clockError: number | undefined
  let lost: number | undefined
  let others: string | undefined
  const contact = { looked: now(), beaten: now(), unbrokenSince: now() }

  const fenced = async (): Promise<void> => {
    isFenced = true
    node.forget()
    lost = undefined
    log?.warn({}, 'this node was silent for too long and others took over: it starts over')
    listener?.fenced()
    known = await node.identity()
    isFenced = false
  }

  const look = async (): Promise<void> => {
    const identity = await node.identity()
    if (identity.slot !== known.slot || identity.incarnation !== known.incarnation) {
      known = identity
      lost = undefined
      isFenced = false
      listener?.fenced()
    }
    const asked = now()
    const { rows } = await pool.rows<{ incarnation: number; lost: number; at: number }>(LOOK, [known.slot])
    const answered = now()
    if (answered - contact.looked > NOT_READY_AFTER_MS) contact.unbrokenSince = answered
    contact.looked = answered
    isCutOff = false
    const [row] = rows
    if (row?.incarnation !== identity.incarnation) return fenced()
    const doubt = (answered - asked) / 2
    const error = row.at - asked - doubt
    const isSlow = doubt * 2 > MAX_CLOCK_ERROR_MS
    // A slow answer cannot prove that the clocks agree, but it may prove that they do not.
    if (!isSlow || Math.abs(error) - doubt > MAX_CLOCK_ERROR_MS) clockError = error
    if (lost !== undefined && row.lost !== lost) await lookWhatWasLost(identity)
    lost = row.lost
  }

  const lookWhatWasLost = async (identity: NodeIdentity): Promise<void> => {
    const before = [...node.epochs]
    const { rows } = await pool.rows<{ id: string; epoch: number }>(MINE, [identity.slot, identity.incarnation])
    const mine = new Map(rows.map(({ id, epoch }) => [id, epoch]))
    const gone = before.filter(([id, epoch]) => mine.get(id) !== epoch && node.epochs.get(id) === epoch)
    for (const [id, epoch] of gone) node.disown(id, epoch)
    if (gone.length > 0) listener?.lost(gone.map(([id]) => id))
  }

  const beat = async (): Promise<void> => {
    const identity = await node.identity()
    if (!(await node.beat(listener?.connections() ?? 0, isDraining ? 'draining' : 'live'))) return
    const answered = now()
    // Without its synchronous standby a database answers queries, but every node's changes wait.
    if (answered - contact.beaten > NOT_READY_AFTER_MS) contact.unbrokenSince = answered
    contact.beaten = answered
    await fenceSilent(identity)
  }

  /** A node that was away itself must not judge others. */
  const fenceSilent = async ({ slot }: NodeIdentity): Promise<void> => {
    if (now() - contact.unbrokenSince >= SILENT_MS) {
      const { rows } = await pool.rows<{ name: string }>(FENCE_SILENT, [slot])
      for (const { name } of rows) {
        log?.warn({ node: name }, 'a silent node lost its charge points to the others')
      }
    }
    const seen = (await pool.value<string>(INCARNATIONS, [slot])) ?? ''
    if (seen === others || !listener || clockFault() !== undefined) return
    others = seen
    adopt()
  }

  /** Beside the signs of life, as it may take long; another node may end meanwhile. */
  const adopt = (): void => {
    isToAdopt = true
    if (isAdopting) return
    isAdopting = true
    const all = async (): Promise<void> => {
      while (isToAdopt && !isDraining && !isStopped) {
        isToAdopt = false
        await listener?.adopt()
      }
    }
    all()
      .catch((error: Error) => {
        log?.warn({ error: error.message }, 'the work of an ended node could not be taken over yet')
        after(ADOPT_AGAIN_MS, adopt)
      })
      .finally(() => {
        isAdopting = false
      })
  }

  const cutOff = (): void => {
    if (isCutOff || now() - contact.looked < CUT_OFF_AFTER_MS) return
    isCutOff = true
    log?.warn({}, 'the database has been away for a minute: charge points may find another node')
    listener?.cutOff()
  }

  const clockFault = (): string | undefined => {
    if (clockError === undefined) return 'The clock of this machine was not compared with the database’s yet.'
    if (Math.abs(clockError) <= MAX_CLOCK_ERROR_MS) return undefined
    return `The clock of this machine differs from the database's by ${Math.round(clockError / 1000)} seconds: set it.`
  }

  const orSay = (work: () => Promise<void>): (() => Promise<void>) => {
    let complaint = ''
    const said = (error?: Error): void => {
      const before = complaint
      complaint = error?.name === 'DatabaseRefused' ? error.message : ''
      if (complaint !== before && complaint !== '') log?.warn({ error: complaint }, 'the database refuses this node')
    }
    return () => work().then(() => said(), said)
  }
  const lookOrSay = orSay(look)
  const stops = [
    repeat(after, LOOK_EVERY_MS, lookOrSay),
    repeat(after, BEAT_EVERY_MS, orSay(beat)),
    repeat(after, BEAT_EVERY_MS, async () => cutOff()),
  ]

  return {
    slot: () => known.slot,
    claim: async (chargePointId) => ({ loaded: await claim(chargePointId) }),
    notReady() {
      if (isDraining) return 'This node is being stopped.'
      if (isFenced || !node.isRegistered) return 'This node was fenced and has not begun anew yet.'
      const away = now() - Math.min(contact.looked, contact.beaten)
      if (away > NOT_READY_AFTER_MS) return `The database has not answered for ${Math.floor(away / 1000)} seconds.`
      return clockFault()
    },
    look: lookOrSay,
    async leave() {
      isDraining = true
      await beat().catch(() => undefined)
      return pool.value<boolean>(HAS_OTHERS, [known.slot]).then(Boolean, () => false)
    },
    listen(given) {
      listener = given
    },
    stop() {
      isStopped = true
      for (const stop of stops) stop()
    },
  }
}
