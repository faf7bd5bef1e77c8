/** Plans every limit group. Stored first, and only over the newest: a replaced planner gives nothing (GROUP-A9). */

import { grouped } from '../../domain/grouped.ts'
import { NEW_SHARE } from '../../domain/limit-groups/absorb.ts'
import { keyOf } from '../../domain/limit-groups/evse.ts'
import { isWithin } from '../../domain/limit-groups/group.ts'
import { give } from '../../domain/limit-groups/ledger.ts'
import { type Order, type Plan, plan } from '../../domain/limit-groups/plan.ts'
import type { GivenShare, LimitGroup, LimitPlan, LimitShare, ShareState } from '../../domain/limit-groups/records.ts'
import { periodically } from '../../domain/periodic.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import type { UseCaseContext } from '../context.ts'
import {
  givenTo,
  type Roster,
  rosterOf,
  type SeenEvse,
  type Snapshot,
  type SnapshotContext,
  type Stored,
  storedOf,
  takeSnapshot,
} from './look.ts'
import { type CourseContext, createCourse } from './status.ts'

const ROSTER_MS = 30_000
const KEEP_MS = 60_000

export type PlannerContext = SnapshotContext & Pick<UseCaseContext, 'writes' | 'log'>

interface Planner {
  tick(reported: (accountId: string, look: Snapshot, made: Plan) => Promise<void>): Promise<void>
  forget(): void
}

interface Known {
  readonly stored: Stored
  readonly roster: Roster
  readonly rosterAt: number
  readonly of: string
  readonly keptAt: number
}

export function createPlanner(place: PlannerContext): Planner {
  const { reads, writes, core, now, log } = place
  const accounts = new Map<string, Known>()

  const knownOf = async (accountId: string, groups: readonly LimitGroup[]): Promise<Known> => {
    const known = accounts.get(accountId)
    const of = groups.map(({ name, revision }) => `${name}@${revision}`).join(' ')
    const stored = known?.stored ?? (await storedOf(place, accountId))
    const isCurrent = known && known.of === of && isWithin(ROSTER_MS, known.rosterAt, now())
    const roster = isCurrent ? known.roster : await rosterOf(place, accountId, groups)
    const next = { stored, roster, of, rosterAt: isCurrent ? known.rosterAt : now(), keptAt: known?.keptAt ?? 0 }
    accounts.set(accountId, next)
    return next
  }

  const planTree = async (accountId: string, look: Snapshot, known: Known): Promise<Plan | undefined> => {
    const { root, connection, evses } = look
    const before = known.stored.plans.get(root) ?? (await firstPlan(accountId, root))
    if (!before) {
      accounts.delete(accountId)
      return undefined
    }
    // Also above what another tree, which it belonged to before, gave an EVSE.
    const revision = Math.max(before.revision + 1, now())
    const made = plan(connection, now(), revision)
    const next = withOrders(evses, made.orders, now())
    const isDue = made.orders.length > 0 || !isWithin(KEEP_MS, known.keptAt, now())
    const changed = isDue ? [...next].filter(([key, state]) => differs(state, evses.get(key)?.before)) : []
    // The first one also where it gives nothing: the previous planner must not take anything back any more.
    if (changed.length > 0 || known.keptAt === 0) {
      const put: LimitPlan = { ...before, revision, at: now() }
      const shares = changed.map(([key, state]) => shareOf(accountId, evses.get(key), state, now()))
      const records: RecordChange[] = [
        { kind: 'limit_plans', put },
        ...shares.map((share): RecordChange => ({ kind: 'limit_shares', put: share })),
      ]
      if (!(await writes.changeRecordsIf(records, { kind: 'limit_plans', put: before }))) {
        accounts.delete(accountId)
        return undefined
      }
      keep(accountId, put, shares)
    }
    await carryOut(accountId, next, evses)
    return made
  }

  /** Undefined: another planner has made it, and shares with it that are not known here. */
  const firstPlan = async (accountId: string, root: string): Promise<LimitPlan | undefined> => {
    if (await reads.getRecord('limit_plans', { accountId, root })) return undefined
    const first: LimitPlan = { accountId, root, revision: 0, told: {}, at: 0 }
    await writes.putRecords('limit_plans', [first])
    keep(accountId, first, [])
    return first
  }

  const keep = (accountId: string, put: LimitPlan, shares: readonly LimitShare[]): void => {
    const known = accounts.get(accountId)
    if (!known) return
    const all = new Map(known.stored.shares)
    for (const share of shares) all.set(keyOf(share), share)
    const plans = new Map(known.stored.plans).set(put.root, put)
    accounts.set(accountId, {
      ...known,
      stored: { shares: all, plans },
      keptAt: now(),
    })
  }

  /** Also what an earlier process stored and did not carry out: each charge point takes the newest alone. */
  const carryOut = async (
    accountId: string,
    states: ReadonlyMap<string, ShareState>,
    evses: ReadonlyMap<string, SeenEvse>,
  ): Promise<void> => {
    const due = new Map<string, Map<number, GivenShare[]>>()
    for (const [key, state] of states) {
      const { placed, station, seen } = evses.get(key) ?? {}
      const { fallback, lease } = givenTo(state)
      const revision = newestOf(state)
      if (!placed || !station || !fallback || revision <= (seen?.desiredRevision ?? 0)) continue
      const { chargePointId, evseId, group, phaseCount, isMixed } = placed
      const share: GivenShare = {
        evseId,
        group,
        // Fewer would hold the connector of more to them.
        ...(!isMixed && { phases: phaseCount }),
        fallbackAmps: fallback.amps,
        ...(lease?.endsAt !== undefined && {
          lease: { amps: lease.amps, afterAmps: lease.afterAmps, endsAt: lease.endsAt, seconds: lease.seconds },
        }),
      }
      const revisions = due.get(chargePointId) ?? new Map<number, GivenShare[]>()
      due.set(chargePointId, revisions.set(revision, [...(revisions.get(revision) ?? []), share]))
    }
    await Promise.all(
      [...due].flatMap(([chargePointId, revisions]) =>
        [...revisions].map(([revision, shares]) => order(accountId, chargePointId, revision, shares)),
      ),
    )
  }

  const order = async (
    accountId: string,
    chargePointId: string,
    revision: number,
    shares: readonly GivenShare[],
  ): Promise<boolean> => {
    const input = { kind: 'sharesGiven', revision, shares } as const
    const outcome = await core.decideBlock({ accountId, chargePointId, input }).catch((error: Error) => {
      log.warn({ chargePoint: chargePointId, error: error.message }, 'a share of a limit group could not be given')
      return undefined
    })
    return outcome !== undefined
  }

  /** Who belongs to no group any more holds nothing of one. */
  const release = async (accountId: string, known: Known, looks: readonly Snapshot[]): Promise<void> => {
    const kept = new Set(looks.flatMap(({ evses }) => [...evses.keys()]))
    const left = [...known.stored.shares.values()].filter((share) => !kept.has(keyOf(share)))
    const plans = [...known.stored.plans.values()]
    const newest = Math.max(...plans.map(({ revision }) => revision), ...left.map(({ state }) => newestOf(state)))
    const held = left.filter(({ state }) => differs(state, NEW_SHARE))
    if (held.length > 0) {
      accounts.delete(accountId)
      if (!(await giveUp(plans, held, newest + 1))) return
    }
    for (const share of left) {
      const { chargePointId, evseId } = share
      // Not above what a planner that took over meanwhile gave it (GROUP-A9).
      if (!(await order(accountId, chargePointId, newest + 1, [{ evseId }]))) continue
      const seen = { ...share, state: NEW_SHARE }
      await writes.changeRecordsIf([{ kind: 'limit_shares', remove: share }], { kind: 'limit_shares', put: seen })
      accounts.delete(accountId)
    }
  }

  /** Before it is released it counts as holding nothing. @returns false: another planner took over */
  const giveUp = async (plans: readonly LimitPlan[], held: readonly LimitShare[], revision: number) => {
    let records = held.map((share): RecordChange => ({ kind: 'limit_shares', put: { ...share, state: NEW_SHARE } }))
    for (const plan of plans) {
      const put: RecordChange = { kind: 'limit_plans', put: { ...plan, revision } }
      if (!(await writes.changeRecordsIf([put, ...records], { kind: 'limit_plans', put: plan }))) return false
      records = []
    }
    return true
  }

  return {
    forget: () => accounts.clear(),
    async tick(reported) {
      const groups = await allRecords(reads, 'limit_groups')
      const byAccount = grouped(groups, ({ accountId }) => accountId)
      for (const accountId of accounts.keys()) if (!byAccount.has(accountId)) byAccount.set(accountId, [])
      for (const [accountId, own] of byAccount) {
        const known = await knownOf(accountId, own)
        const looks = await takeSnapshot(place, accountId, own, known.roster, known.stored)
        await release(accountId, known, looks)
        for (const look of looks) {
          const made = await planTree(accountId, look, known)
          if (made) await reported(accountId, look, made)
        }
        if (own.length === 0) accounts.delete(accountId)
      }
    },
  }
}

function withOrders(
  evses: ReadonlyMap<string, SeenEvse>,
  orders: readonly Order[],
  now: number,
): ReadonlyMap<string, ShareState> {
  const next = new Map([...evses].map(([key, { state }]) => [key, state]))
  for (const order of orders) {
    const key = keyOf(order)
    const state = next.get(key)
    if (!state) continue
    const ledger = { ...state.ledger, [order.place]: give(state.ledger[order.place], order.given) }
    next.set(key, {
      ...state,
      ledger,
      ...(order.place === 'fallback' ? { fallbackChangedAt: now } : order.why !== 'renew' && { changedAt: now }),
    })
  }
  return next
}

function newestOf(state: ShareState): number {
  const { fallback, lease } = givenTo(state)
  return Math.max(fallback?.revision ?? 0, lease?.revision ?? 0)
}

function shareOf(accountId: string, seen: SeenEvse | undefined, state: ShareState, now: number): LimitShare {
  const { chargePointId = '', evseId = 0, group: name = '' } = seen?.placed ?? {}
  return { accountId, chargePointId, evseId, name, state, updatedAt: now }
}

function differs(one: ShareState, other: ShareState | undefined): boolean {
  return JSON.stringify(one) !== JSON.stringify(other)
}

// The planner as the server runs it: every second, on one node at a time (GROUP-A9).

/** A cut is given within that, and what an EVSE accepted leads to the next raise. */
const LOOK_MS = 1000

type StartPlannerContext = Omit<PlannerContext & CourseContext, 'now'> & Pick<UseCaseContext, 'clock' | 'isKeeper'>

export function startLimitPlanner({ clock, isKeeper = async () => true, ...parts }: StartPlannerContext) {
  const place = { ...parts, now: clock.now }
  const planner = createPlanner(place)
  const course = createCourse(place)
  const looks = periodically({
    clock,
    everyMs: LOOK_MS,
    async work() {
      if (await isKeeper()) await planner.tick(course.note)
      else planner.forget()
    },
    failed({ message: error }) {
      // What is remembered may not be what was stored.
      planner.forget()
      parts.log.error({ error }, 'limit groups could not be planned')
    },
  })
  return { stop: () => looks.stop() }
}
