/** The queue and the group: jobs are decided in order, committed together, and only then answered, or fail together. */

import type { CoreStore } from '../../domain/ports/storage.ts'
import type { ChangeSet, CommitResult } from '../../domain/ports/storage-records.ts'
import type { Lookups } from '../../domain/sessions/decision.ts'
import { nextTurn } from '../../threads/next-turn.ts'
import { goneStation, type Station } from '../memory/station.ts'
import type { Stations } from '../memory/stations.ts'
import { isNotOwner, notOwner } from './store-refusals.ts'

export interface Job {
  readonly stationId: string
  /** For a removed charge point: decided on what its look-ups find in this account. */
  readonly accountId?: string
  /** Length of the message; large ones make room for others (JobQueue). */
  readonly bytes?: number
  /** Reads the input and names the look-ups of `decide`. May run again after a neighbor's failure. */
  prepare?(station: Station): Lookups | undefined
  /** Applies the changes to the station's state and returns them; undefined changes nothing. */
  decide?(station: Station): ChangeSet | undefined
  /** The decision will be made again on another state: undoes the side effects of `decide`. */
  rolledBack?(station: Station): void
  /** The changes are durable: answers may leave. */
  committed?(station: Station): void
  /** Nothing was stored. `station` is undefined when the charge point no longer exists. */
  failed?(error: Error, station: Station | undefined): void
}

interface Prepared {
  readonly job: Job
  readonly station: Station
}

interface WantingJob extends Prepared {
  readonly lookups: Lookups
}

interface Decided extends Prepared {
  readonly changes: ChangeSet
}

export class Engine {
  readonly counters: { commits: number; failedCommits: number } = { commits: 0, failedCommits: 0 }
  readonly #store: CoreStore
  readonly #stations: Stations
  readonly #report: (error: Error, context: string) => void
  readonly #lost: (stationId: string) => void
  readonly #queue = new JobQueue<Job>()
  #running = false
  #idle: (() => void)[] = []

  /** @param lost called for a charge point that belongs to another node (STORE-N8) */
  constructor(
    store: CoreStore,
    stations: Stations,
    report: (error: Error, context: string) => void,
    lost: (stationId: string) => void = () => undefined,
  ) {
    this.#store = store
    this.#stations = stations
    this.#report = report
    this.#lost = lost
  }

  get queued(): number {
    return this.#queue.size
  }

  enqueue(job: Job): void {
    this.#queue.push(job)
    if (this.#running) return
    this.#running = true
    // One turn later all that arrived with this message is queued: the group grows with load.
    setImmediate(() => void this.#run())
  }

  whenIdle(): Promise<void> {
    if (!this.#running) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  async #run(): Promise<void> {
    while (this.#queue.size > 0) {
      const group = this.#queue.takeGroup()
      try {
        await this.#process(group)
      } catch (error) {
        // A bug must not stop the queue: the group's jobs get the error, later ones go on.
        this.#report(asError(error), 'group')
        for (const job of group) this.#fail(job, asError(error))
      }
      if (this.#queue.size > 0) await nextTurn()
    }
    this.#running = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #process(group: readonly Job[]): Promise<void> {
    const decided: Decided[] = []
    const unchanged: Prepared[] = []
    const broken = new Set<Station>()
    const again: Job[] = []
    for (const { job, station } of await this.#prepare(group)) {
      if (broken.has(station) || !station.state) {
        again.push(job)
        continue
      }
      try {
        const changes = job.decide?.(station)
        if (changes) decided.push({ job, station, changes })
        else unchanged.push({ job, station })
      } catch (error) {
        this.#report(asError(error), `decide ${job.stationId}`)
        broken.add(station)
        this.#fail(job, asError(error), station)
      }
    }
    again.push(...(await this.#commit(decided)))
    for (const prepared of unchanged) this.#committed(prepared)
    // Jobs behind a failed one are decided again, on newly loaded state.
    this.#queue.takeAgain(again)
  }

  async #prepare(group: readonly Job[]): Promise<Prepared[]> {
    this.#stations.noticeNewRegistrations()
    const prepared: Prepared[] = []
    // Shared by all jobs of the group: the second must see what the first decided.
    const gone = new Map<string, Station>()
    const absent = await this.#loadStations(group)
    let wanting: WantingJob[] | undefined
    for (const job of group) {
      try {
        const { stationId, accountId } = job
        let station = this.#stations.current(stationId)
        if (!station && !absent?.has(stationId)) station = await this.#stations.load(stationId)
        station ??= gone.get(stationId)
        if (!station && accountId !== undefined) {
          station = goneStation(stationId, accountId)
          gone.set(stationId, station)
        }
        if (!station) {
          job.failed?.(Object.assign(new Error('The charge point no longer exists.'), { code: 'GONE' }), undefined)
          continue
        }
        if (station.isElsewhere) {
          job.failed?.(notOwner(), undefined)
          this.#lost(stationId)
          continue
        }
        const lookups = job.prepare?.(station)
        if (lookups && this.#stations.missing(station, lookups)) {
          wanting ??= []
          wanting.push({ job, station, lookups })
        }
        prepared.push({ job, station })
      } catch (error) {
        this.#refusePrepared(job, error)
      }
    }
    const failed = wanting && (await this.#loadLookups(wanting))
    await this.#stations.reserveNumbers(group.length)
    return failed && failed.size > 0 ? prepared.filter(({ job }) => !failed.has(job)) : prepared
  }

  /** Returns those that do not exist. If the read fails, each station is read by itself later. */
  async #loadStations(group: readonly Job[]): Promise<ReadonlySet<string> | undefined> {
    let missing: Set<string> | undefined
    for (const { stationId } of group) {
      if (this.#stations.current(stationId)) continue
      missing ??= new Set()
      missing.add(stationId)
    }
    return missing && this.#stations.loadAll([...missing]).catch(() => undefined)
  }

  /** Returns the jobs whose look-ups failed; each then gets its own attempt. */
  async #loadLookups(wanting: readonly WantingJob[]): Promise<ReadonlySet<Job>> {
    const failed = new Set<Job>()
    try {
      await this.#stations.loadLookups(wanting)
    } catch {
      for (const one of wanting) {
        try {
          await this.#stations.loadLookups([one])
        } catch (error) {
          failed.add(one.job)
          this.#refusePrepared(one.job, error)
        }
      }
    }
    return failed
  }

  #refusePrepared(job: Job, error: unknown): void {
    this.#report(asError(error), `prepare ${job.stationId}`)
    job.failed?.(asError(error), this.#stations.known(job.stationId))
  }

  /** Returns the jobs to decide again since an earlier one of their station failed; tokens are then read again. */
  async #commit(decided: readonly Decided[]): Promise<readonly Job[]> {
    if (decided.length === 0) return []
    let results: readonly CommitResult[]
    try {
      results = await this.#store.commit(decided.map((entry) => entry.changes))
      this.counters.commits++
    } catch (error) {
      this.counters.failedCommits++
      if (!isNotOwner(error)) this.#report(asError(error), 'commit')
      this.#stations.forgetTokens()
      for (const { job, station } of decided) this.#fail(job, asError(error), station)
      return []
    }
    const culprits = new Set<Station>()
    const again: Job[] = []
    decided.forEach((entry, index) => {
      const { job, station } = entry
      const result = results[index]
      if (result?.ok) this.#committed(entry)
      else if (culprits.has(station)) {
        job.rolledBack?.(station)
        again.push(job)
      } else {
        culprits.add(station)
        const error = result?.error ?? new Error('The store gave no result.')
        if (!isNotOwner(error)) this.#report(error, `savepoint ${station.id}`)
        this.#fail(job, error, station)
      }
    })
    if (culprits.size > 0) this.#stations.forgetTokens()
    return again
  }

  /** A failing follow-up must not keep the neighbors' answers from leaving. */
  #committed({ job, station }: Prepared): void {
    try {
      job.committed?.(station)
    } catch (fault) {
      this.#report(asError(fault), `committed ${job.stationId}`)
    }
  }

  /** Memory may be ahead of the database: drops the state. @param decidedOn may differ from the current station */
  #fail(job: Job, error: Error, decidedOn?: Station): void {
    const station = this.#stations.known(job.stationId)
    station?.dropState()
    try {
      job.failed?.(error, station)
    } catch (fault) {
      this.#report(asError(fault), 'failed')
    }
    if (isNotOwner(error) && station === decidedOn) this.#lost(job.stationId)
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

interface Large<Job> {
  readonly job: Job
  /** How many jobs entered the small lane before it: they may be the same station's, so they go first. */
  readonly after: number
}

/** From here on a message takes milliseconds to read, decide and store; 99 % are below 2 kB (OCPP-SZ1). */
export const LARGE_BYTES = 16 * 1024
/** Per lane and group, as everything else waits for a group. At least one job is always taken. */
const GROUP_BYTES = 512 * 1024
/** Smaller groups spend more on their commit than they gain. */
const GROUP_LEAST = 24
/** Beyond this, latency grows without more throughput (docs/performance.md, SESSION-B1). */
const GROUP_MOST = 500

/**
 * Half of the waiting jobs: while the other half is decided, the answers of these bring the next messages.
 * With all of them the core would idle a quarter of the time.
 */
export function groupSize(waiting: number): number {
  return Math.min(Math.max(Math.ceil(waiting / 2), GROUP_LEAST), GROUP_MOST)
}

/** The waiting jobs, in order per station. Large messages have their own lane, to delay no others (OCPP-RP12). */
export class JobQueue<Job extends { readonly stationId: string; readonly bytes?: number }> {
  #again: Job[] = []
  readonly #small: Job[] = []
  #smallTaken = 0
  /** By station, in round-robin order. */
  readonly #large = new Map<string, Large<Job>[]>()
  #largeCount = 0

  get size(): number {
    return this.#again.length + this.#small.length + this.#largeCount
  }

  push(job: Job): void {
    const behind = this.#large.size > 0 ? this.#large.get(job.stationId) : undefined
    if (!behind && (job.bytes ?? 0) < LARGE_BYTES) {
      this.#small.push(job)
      return
    }
    const large = { job, after: this.#smallTaken + this.#small.length }
    if (behind) behind.push(large)
    else this.#large.set(job.stationId, [large])
    this.#largeCount++
  }

  /** Puts taken jobs back, first in the next group. */
  takeAgain(jobs: readonly Job[]): void {
    this.#again.push(...jobs)
  }

  takeGroup(): readonly Job[] {
    const group = this.#again
    this.#again = []
    const count = this.#countSmall(groupSize(this.#small.length))
    this.#smallTaken += count
    group.push(...this.#small.splice(0, count))
    this.#takeLarge(group)
    return group
  }

  #countSmall(most: number): number {
    let bytes = 0
    let count = 0
    for (const job of this.#small) {
      bytes += job.bytes ?? 0
      if (count === most || (bytes > GROUP_BYTES && count > 0)) break
      count++
    }
    return count
  }

  #takeLarge(group: Job[]): void {
    let bytes = 0
    for (let count = 0; count < GROUP_MOST; count++) {
      const turn = this.#nextLarge()
      if (!turn) return
      const [stationId, waiting, { job }] = turn
      bytes += job.bytes ?? 0
      if (bytes > GROUP_BYTES && count > 0) return
      group.push(job)
      waiting.shift()
      this.#largeCount--
      this.#large.delete(stationId)
      if (waiting.length > 0) this.#large.set(stationId, waiting)
    }
  }

  #nextLarge(): readonly [string, Large<Job>[], Large<Job>] | undefined {
    for (const [stationId, waiting] of this.#large) {
      const [first] = waiting
      if (first && first.after <= this.#smallTaken) return [stationId, waiting, first]
    }
    return undefined
  }
}
