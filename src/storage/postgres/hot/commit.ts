/** A group is stored, refused, or unknown as its answer was lost: then the node's own row decides (STORE-N2). */
import type { ChangeSet, CommitResult } from '../../../domain/ports/storage-records.ts'
import { asError } from '../../storage-error.ts'
import { ConnectionLost, isContentFault, isMissingPartition } from '../connection/address.ts'
import { line, type Pool } from '../connection/pool.ts'
import { jsonToDatabase } from '../connection/text.ts'
import { KINDS } from '../functions/apply.ts'
import { FENCED, KNOWN_SESSIONS, NOT_OWNER } from '../functions/group.ts'
import { FUNCTIONS } from '../functions/names.ts'
import { makePartitions } from '../partitions.ts'
import type { Waiting } from './away.ts'
import { type Changes, changesOf, parametersOf } from './changes.ts'
import type { CountedEnergy } from './counted-energy.ts'
import { LogNames } from './log-names.ts'
import type { Node } from './node.ts'

export type Commit = (group: readonly ChangeSet[]) => Promise<readonly CommitResult[]>

const APPLIED: CommitResult = { ok: true }
const DUE: CommitResult = { ok: true, due: true }

type StoredResult = { readonly ok: true; readonly due: boolean } | { readonly ok: false; readonly error: string }

const parameters = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `$${first + index}`).join(', ')
const PROOFS = 6
const TOGETHER = `SELECT ${FUNCTIONS.commitGroup.name}(${parameters(1, PROOFS + KINDS.length)})::text AS due`
const EACH = `SELECT ${FUNCTIONS.commitEach.name}(${parameters(1, PROOFS + 1)}) AS results`

/** Another node owns the charge point: the decision's state is outdated. */
class NotOwner extends Error {
  override readonly name = 'NotOwner'
  readonly code = 'NOT_OWNER'
}

interface Group {
  readonly sets: readonly ChangeSet[]
  /** At the decision: a charge point that left and came back has a later epoch, so the decision is stale. */
  readonly epochs: Map<string, number>
}

export function groupCommit({
  node,
  pool,
  energy,
  patiently,
  now,
}: {
  readonly node: Node
  readonly pool: Pool
  readonly energy: CountedEnergy
  readonly patiently: Waiting['patiently']
  /** Milliseconds since the epoch. */
  readonly now: () => number
}): Commit {
  const names = new LogNames(pool)
  const inLine = line()

  const proof = async ({ sets, epochs }: Group) => {
    const chargePoints = [...new Set(sets.map(({ chargePointId }) => chargePointId))]
    const { slot, incarnation } = await patiently(() => node.identity())
    const decidedIn = chargePoints.map((id) => String(epochs.get(id) ?? 0))
    const newest = sets.reduce((id, { command }) => Math.max(id, command?.id ?? 0), 0)
    return (number: number) => [slot, incarnation, number, newest, chargePoints, decidedIn] as const
  }

  const send = async <T>(
    group: Group,
    text: string,
    values: readonly (string | null)[],
    read: (value: string) => T,
    lookedUp: (results: string | null) => T,
  ): Promise<T> => {
    const proven = await proof(group)
    for (;;) {
      const number = node.lastGroup + 1
      try {
        const session = await patiently(() => node.session())
        const value = await session.value<string>(text, [...proven(number), ...values])
        node.lastGroup = number
        return read(value ?? '')
      } catch (error) {
        if (isRepeatable(error)) continue
        if (!(error instanceof ConnectionLost)) throw error
        const found = await patiently(() => node.lookUpLastGroup(number))
        if (!found) throw Object.assign(new Error('This node has been fenced.'), { code: FENCED })
        node.lastGroup = found.lastGroup
        if (found.lastGroup !== number) continue
        return lookedUp(found.lastResults)
      }
    }
  }

  const together = (group: Group, changes: Changes): Promise<readonly CommitResult[]> =>
    send(
      group,
      TOGETHER,
      parametersOf(changes),
      (due) => {
        const reported = new Set(due.slice(1, -1).split(',').filter(Boolean).map(Number))
        return group.sets.map((_, index) => (reported.has(index) ? DUE : APPLIED))
      },
      // A delivery is not repeated: it is only looked for once more.
      () => group.sets.map(({ events }) => (events && events.length > 0 ? DUE : APPLIED)),
    )

  const each = (group: Group): Promise<readonly CommitResult[]> => {
    energy.drop()
    const sets = group.sets.map((set, index) => {
      try {
        return { cp: set.chargePointId, ...changesOf([set], energy, names, index) }
      } catch (error) {
        return { cp: set.chargePointId, error: asError(error).message }
      }
    })
    const read = (results: string): readonly CommitResult[] => {
      const failed = new Map<string, CommitResult>()
      return (JSON.parse(results) as readonly StoredResult[]).map((result, index) => {
        if (result.ok) return result.due ? DUE : APPLIED
        const id = group.sets[index]?.chargePointId ?? ''
        const failure = failed.get(id) ?? { ok: false, error: new Error(result.error) }
        failed.set(id, failure)
        return failure
      })
    }
    return send(group, EACH, [jsonToDatabase(sets)], read, (results) => read(results ?? '[]'))
  }

  /** Sets decided on a possibly outdated state, or whose charge point is connected elsewhere. */
  const notOurs = async ({ sets, epochs }: Group): Promise<ReadonlySet<string>> => {
    const others = new Set(sets.map(({ chargePointId }) => chargePointId).filter((id) => !epochs.has(id)))
    const unclaimed = [...others].filter((id) => !node.foreign.has(id))
    if (unclaimed.length > 0) await patiently(() => node.claim(unclaimed))
    for (const id of unclaimed) {
      const epoch = node.epochs.get(id)
      if (epoch === undefined) continue
      epochs.set(id, epoch)
      others.delete(id)
    }
    return others
  }

  const attempt = async (group: Group): Promise<readonly CommitResult[]> => {
    const others = await notOurs(group)
    if (others.size > 0) return withoutLost(group, others)
    let changes: Changes
    try {
      if (!names.knows(group.sets)) await patiently(() => names.learn(group.sets))
      changes = changesOf(group.sets, energy, names)
    } catch (error) {
      if (!isContentFault(error)) throw error
      return each(group)
    }
    try {
      return await together(group, changes)
    } catch (error) {
      if (!isContentFault(error)) throw error
      return each(group)
    }
  }

  const withoutLost = async ({ sets, epochs }: Group, lost: ReadonlySet<string>): Promise<readonly CommitResult[]> => {
    for (const id of lost) node.disown(id, epochs.get(id))
    forgetEnergyOf(sets)
    const refused: CommitResult = { ok: false, error: new NotOwner('Another node has this charge point now.') }
    const ours = sets.filter(({ chargePointId }) => !lost.has(chargePointId))
    const stored = ours.length > 0 ? await commit({ sets: ours, epochs }) : []
    let next = 0
    return sets.map(({ chargePointId }) => (lost.has(chargePointId) ? refused : (stored[next++] ?? refused)))
  }

  const commit = async (group: Group): Promise<readonly CommitResult[]> => {
    for (;;) {
      try {
        const results = await attempt(group)
        energy.keep()
        forgetFailed(group.sets, results)
        return results
      } catch (error) {
        energy.drop()
        const { code, detail } = error as { readonly code?: string | undefined; readonly detail?: string | undefined }
        if (code === KNOWN_SESSIONS) await readEnergy(group.sets)
        else if (code === NOT_OWNER) return withoutLost(group, new Set(JSON.parse(detail ?? '[]') as string[]))
        else if (isMissingPartition(error)) await makeMissing(group.sets)
        else {
          if (code === FENCED) fenced()
          forgetEnergyOf(group.sets)
          throw code === FENCED ? new NotOwner('This node was fenced, so nothing is its own any more.') : error
        }
      }
    }
  }

  const fenced = (): void => {
    node.forget()
    energy.forgetAll()
    names.forget()
  }
  const forgetEnergyOf = (sets: readonly ChangeSet[]): void => {
    for (const { sessions = [] } of sets) for (const { id } of sessions) energy.forget(id)
  }
  const forgetFailed = (sets: readonly ChangeSet[], results: readonly CommitResult[]): void => {
    const failed = sets.filter((_, index) => !results[index]?.ok).map(({ chargePointId }) => chargePointId)
    if (failed.length > 0) forgetEnergyOf(sets.filter(({ chargePointId }) => failed.includes(chargePointId)))
  }
  const readEnergy = async (sets: readonly ChangeSet[]): Promise<void> => {
    const ids = sets.flatMap(({ sessions = [] }) => sessions.map(({ id }) => id))
    const { rows } = await patiently(() =>
      pool.rows<{ id: string; milliWh: number; energyAt: number | null; powerMilliW: number | null }>(
        `SELECT id, energy_milli_wh AS "milliWh", energy_at AS "energyAt", power_milli_w AS "powerMilliW"
           FROM sessions WHERE id = ANY($1)`,
        [ids],
      ),
    )
    for (const { id, ...known } of rows) energy.remember(id, known)
  }
  const makeMissing = (sets: readonly ChangeSet[]): Promise<void> => {
    const ids = sets.flatMap(({ command }) => (command ? [command.id] : []))
    return patiently(() => pool.use((session) => makePartitions(session, now(), ids)))
  }

  const decidedNow = (sets: readonly ChangeSet[]): Group => {
    const epochs = new Map<string, number>()
    for (const { chargePointId } of sets) {
      const epoch = node.epochs.get(chargePointId)
      if (epoch !== undefined) epochs.set(chargePointId, epoch)
    }
    return { sets, epochs }
  }

  return (sets) => {
    if (sets.length === 0) return Promise.resolve([])
    const group = decidedNow(sets)
    return inLine(() => commit(group))
  }
}

/** Deadlocks and cancelled statements: nothing was stored, and a repetition may succeed. */
function isRepeatable(error: unknown): boolean {
  const { code } = error as { readonly code?: string | undefined }
  return code === '40P01' || code === '40001' || code === '57014' || code === '55P03'
}
