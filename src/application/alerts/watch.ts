/** Sweeps what the rules watch, twice a minute, without delaying messages: reads in reader threads, small writes. */

import { KINDS, type Subject } from '../../domain/alerts/alert-kinds.ts'
import { endOfQuiet, isToEscalate, nextStanding, type Standing } from '../../domain/alerts/quiet-hours.ts'
import type { Alert, AlertFacts, AlertNotice, AlertRule } from '../../domain/alerts/records.ts'
import {
  type CertificateFailure,
  errorWindow,
  type Finding,
  type Moment,
  type WatchedServer,
  type WatchedSession,
  type WatchedStation,
  type WatchedWebhook,
} from '../../domain/alerts/watched.ts'
import type { AlertChange } from '../../domain/events/alert-events.ts'
import { grouped } from '../../domain/grouped.ts'
import type { Core, CoreStatistics } from '../../domain/ports/core.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import type { EventData, NewEvent } from '../../domain/ports/storage-webhooks.ts'
import { allRecords, recordPages } from '../../domain/records/all-records.ts'
import type { RecordChange } from '../../domain/records/records.ts'
import { chargePointPages, selectable, selects, sessionPages } from '../../domain/selector.ts'
import type { UseCaseContext } from '../context.ts'

/** Alerts in one transaction: messages wait for no more than that (ALERT-R7). */
const ALERTS_PER_COMMIT = 50
const TAKEN_AT_ONCE = 500

export interface WatchContext extends Pick<UseCaseContext, 'reads' | 'writes' | 'core' | 'clock' | 'log'> {
  readonly newId: (now: number) => string
  readonly tell: (alert: Alert, what: AlertChange) => EventData
  readonly recorded: (event: EventData, at: Pick<NewEvent, 'accountId' | 'chargePointId'>, now: number) => NewEvent
  readonly wake: () => void
  /** Free bytes where the database is; rejects where it is unknown. */
  readonly freeBytes: () => Promise<number>
  readonly diskHolds: 'database' | 'files'
  readonly rowTime: (id: number) => number
}

export interface Watch {
  sweep(): Promise<void>
}

export function createWatch(parts: WatchContext): Watch {
  const { reads, writes, core, clock, newId, tell, recorded, wake, freeBytes, diskHolds, rowTime } = parts
  const runningSince = clock.now()
  const errors = errorWindow()
  /** Of each rule, after the last sweep. Lost with the process: then what was not raised yet counts from anew. */
  let standings = new Map<string, Standings>()

  const seeServer = async (statistics: CoreStatistics): Promise<WatchedServer> => {
    const newest = await reads.greatestCommandId()
    return {
      ...errors.add(clock.monotonic(), statistics),
      freeBytes: await freeBytes().catch(() => undefined),
      diskHolds,
      ...(newest > 0 && { newestRowAt: rowTime(newest) }),
    }
  }

  const store = async (changes: readonly Stored[]): Promise<void> => {
    for (let at = 0; at < changes.length; at += ALERTS_PER_COMMIT) {
      const some = changes.slice(at, at + ALERTS_PER_COMMIT)
      const now = clock.now()
      const records = some.flatMap(({ alert, notices }): RecordChange[] => [
        { kind: 'alerts', put: alert },
        ...notices.map((put): RecordChange => ({ kind: 'alert_notices', put })),
      ])
      const events = some.map(({ alert, what, alsoTo }) => {
        const place = { accountId: alert.accountId, chargePointId: alert.facts.stationId ?? '' }
        return { ...recorded(tell(alert, what), place, now), alsoTo }
      })
      if (await writes.changeRecords(records, events)) wake()
    }
  }

  const storedAs = (rule: AlertRule, { what, about, since, facts, alert }: Change, quietUntil: number): Stored => {
    const now = clock.now()
    const { accountId, id: ruleId, name: ruleName, kind } = rule
    const begun: Alert = alert ?? {
      accountId,
      id: newId(now),
      ruleId,
      ruleName,
      kind,
      about,
      state: 'raised',
      since,
      raisedAt: now,
      facts,
    }
    const changed: Alert = {
      ...begun,
      ...(what === 'escalated' && { escalatedAt: now }),
      ...(what === 'cleared' && { state: 'cleared', clearedAt: now }),
    }
    const targets = targetsOf(rule, what, begun)
    const mails = new Set(targets.flatMap((target) => ('mail' in target ? [target.mail] : [])))
    const notices = [...mails].map((mail): AlertNotice => {
      const first = { id: newId(now), accountId, mail, what: NOTICE_OF[what] } as const
      return { ...first, dueAt: quietUntil, attempts: 0, createdAt: now, alert: changed }
    })
    const webhooks = new Set(targets.flatMap((one) => ('webhookId' in one ? [one.webhookId] : [])))
    return { alert: changed, what, notices, alsoTo: [...webhooks] }
  }

  return {
    async sweep() {
      const rules = await allRecords(reads, 'alert_rules')
      const raised = await allRecords(reads, 'alerts', { state: 'raised' })
      if (rules.length === 0 && raised.length === 0) {
        standings.clear()
        return
      }
      const server = await seeServer(await core.statistics())
      const byId = new Map(rules.map((rule) => [rule.id, rule]))
      // Its rule was deleted or is about something else by now: no mail is sent.
      const left = raised.filter(({ ruleId, kind }) => byId.get(ruleId)?.kind !== kind)
      const cleared = { state: 'cleared', clearedAt: clock.now() } as const
      const over = left.map((alert): Stored => {
        return { alert: { ...alert, ...cleared }, what: 'cleared', notices: [], alsoTo: [] }
      })
      await store(over)
      const next = new Map<string, Standings>()
      const raisedBy = grouped(raised, ({ ruleId }) => ruleId)
      for (const [accountId, own] of grouped(rules, (rule) => rule.accountId)) {
        const seen = await seeAccount(parts, accountId, own, server)
        for (const rule of own) {
          const on = (raisedBy.get(rule.id) ?? []).filter(({ kind }) => kind === rule.kind)
          const moment = { now: clock.now(), runningSince }
          const alerts = new Map(on.map((alert) => [alert.about, alert]))
          const taken = rule.escalation ? await takenOf(reads, accountId, on) : new Set<string>()
          const swept = sweepRule(rule, seen, moment, standings.get(rule.id) ?? new Map(), alerts, taken)
          const quietUntil = swept.changes.length > 0 ? endOfQuiet(rule.quietHours, moment.now) : 0
          await store(swept.changes.map((change) => storedAs(rule, change, quietUntil)))
          next.set(rule.id, swept.standings)
        }
      }
      standings = next
    },
  }
}

/** An alert with all that is stored beside it in one commit (ALERT-R6, ALERT-M2). */
interface Stored {
  readonly alert: Alert
  readonly what: AlertChange
  readonly notices: readonly AlertNotice[]
  readonly alsoTo: readonly string[]
}

const NOTICE_OF = { raised: 'begins', escalated: 'escalates', cleared: 'ends' } as const

/** The targets that were notified of its begin are notified of its end. */
function targetsOf({ targets, escalation }: AlertRule, what: AlertChange, { escalatedAt }: Alert) {
  if (what === 'escalated') return escalation?.targets ?? []
  return what === 'cleared' && escalatedAt !== undefined ? [...targets, ...(escalation?.targets ?? [])] : targets
}

async function takenOf(
  reads: WatchContext['reads'],
  accountId: string,
  on: readonly Alert[],
): Promise<ReadonlySet<string>> {
  const taken = new Set<string>()
  for (let at = 0; at < on.length; at += TAKEN_AT_ONCE) {
    const ids = on.slice(at, at + TAKEN_AT_ONCE).map(({ id }) => id)
    const where = { accountId, alertId: { in: ids } }
    for (const { alertId } of await reads.listRecords('alert_acknowledgements', { where, limit: ids.length })) {
      taken.add(alertId)
    }
  }
  return taken
}

type Sight = Pick<UseCaseContext, 'reads' | 'core'>

async function seeAccount(
  { reads, core }: Sight,
  accountId: string,
  rules: readonly AlertRule[],
  server: WatchedServer,
): Promise<Seen> {
  const subjects = subjectsOf(rules)
  return {
    stations: subjects.has('station')
      ? await stationsOf(reads, core, accountId, await failuresOf(reads, accountId, rules))
      : new Map(),
    sessions: subjects.has('session') ? await chargingSessions(reads, accountId) : [],
    webhooks: subjects.has('webhook') ? await reads.listSubscriptions({ accountId }) : [],
    server,
  }
}

async function stationsOf(
  reads: Sight['reads'],
  core: Sight['core'],
  accountId: string,
  failures: ReadonlyMap<string, CertificateFailure>,
): Promise<ReadonlyMap<string, WatchedStation>> {
  const stations = new Map<string, WatchedStation>()
  for await (const page of chargePointPages(reads, accountId)) {
    const connectivity = await core.connectivity(page.map(({ id }) => id))
    page.forEach((chargePoint, at) => {
      const { registrationStatus, disabled } = chargePoint
      if (registrationStatus === 'Accepted' && !disabled) {
        stations.set(chargePoint.id, {
          ...watched(chargePoint, connectivity[at]),
          certificateFailure: failures.get(chargePoint.id),
        })
      }
    })
  }
  return stations
}

/** Of each station since its first failure. Stations without one, so nearly all, are not in it. */
async function failuresOf(
  reads: Sight['reads'],
  accountId: string,
  rules: readonly AlertRule[],
): Promise<ReadonlyMap<string, CertificateFailure>> {
  const failures = new Map<string, CertificateFailure>()
  if (!rules.some(({ kind }) => kind === 'certificateFailed')) return failures
  for await (const page of recordPages(reads, 'certificate_requests', { accountId, failedAt: { from: 0 } })) {
    for (const { chargePointId, failedAt = 0, reason } of page) {
      const known = failures.get(chargePointId)
      if (!known) failures.set(chargePointId, { at: failedAt, reason })
      else if (failedAt < known.at) failures.set(chargePointId, { ...known, at: failedAt })
    }
  }
  return failures
}

function watched(
  chargePoint: ChargePointView,
  connectivity: Awaited<ReturnType<Core['connectivity']>>[number] | undefined,
): WatchedStation {
  const { name, createdAt, status, connectors } = chargePoint
  return {
    ...selectable(chargePoint),
    name,
    createdAt,
    online: connectivity?.online ?? false,
    lastSeenAt: connectivity?.lastSeenAt ?? status.lastSeenAt,
    connectors,
    clockSkewMs: connectivity?.clockSkewMs,
  }
}

async function chargingSessions(reads: Sight['reads'], accountId: string): Promise<readonly WatchedSession[]> {
  const sessions: WatchedSession[] = []
  for await (const page of sessionPages(reads, { accountId, state: 'charging' })) {
    sessions.push(...page.filter(({ energyMilliWh }) => energyMilliWh === 0))
  }
  return sessions
}

// What the rules of one account find now, and what follows from it: pure (ALERT-R1 to ALERT-R3).

/** ALERT-R2 */
const CALM_MS = 60_000

interface Seen {
  readonly stations: ReadonlyMap<string, WatchedStation>
  readonly sessions: readonly WatchedSession[]
  readonly webhooks: readonly WatchedWebhook[]
  readonly server: WatchedServer
}

type Standings = ReadonlyMap<string, Standing>

interface Change {
  readonly what: AlertChange
  readonly about: string
  readonly since: number
  readonly facts: AlertFacts
  readonly alert?: Alert | undefined
}

function subjectsOf(rules: readonly AlertRule[]): ReadonlySet<Subject> {
  const subjects = new Set(rules.flatMap(({ kind }) => Object.keys(KINDS[kind].finds) as Subject[]))
  if (subjects.has('session') && rules.some(({ kind, selector }) => KINDS[kind].finds.session && selector)) {
    subjects.add('station')
  }
  return subjects
}

/** @param before as of the last sweep @param raised stored alerts that are on @param taken acknowledged ids */
function sweepRule(
  rule: AlertRule,
  seen: Seen,
  moment: Moment,
  before: Standings,
  raised: ReadonlyMap<string, Alert>,
  taken: ReadonlySet<string>,
): { readonly changes: readonly Change[]; readonly standings: Standings } {
  const found = findingsOf(rule, seen, moment)
  const afterMs = (rule.afterSeconds ?? KINDS[rule.kind].afterSeconds) * 1000
  const standings = new Map<string, Standing>()
  const changes: Change[] = []
  for (const about of new Set([...raised.keys(), ...found.keys()])) {
    const alert = raised.get(about)
    const finding = found.get(about)
    const known = knownStanding(before.get(about), alert)
    const { standing, change } = nextStanding(known, finding, { afterMs, calmMs: CALM_MS }, moment.now)
    if (standing) standings.set(about, standing)
    if (change === 'raised' && standing && finding) {
      changes.push({ what: 'raised', about, since: standing.since, facts: finding.facts })
    }
    if (!alert) continue
    const { since, facts } = alert
    if (change === 'cleared') changes.push({ what: 'cleared', about, since, facts, alert })
    // What is not seen right now may be over in a moment.
    else if (finding && !taken.has(alert.id) && isToEscalate(rule, alert, moment.now)) {
      changes.push({ what: 'escalated', about, since, facts, alert })
    }
  }
  return { changes, standings }
}

function knownStanding(remembered: Standing | undefined, alert: Alert | undefined): Standing | undefined {
  if (alert) return { isRaised: true, since: alert.since, calmSince: remembered?.calmSince }
  return remembered?.isRaised ? undefined : remembered
}

function findingsOf({ kind, selector }: AlertRule, seen: Seen, moment: Moment): ReadonlyMap<string, Finding> {
  const { finds } = KINDS[kind]
  const found = new Map<string, Finding>()
  const add = (about: string, finding: Finding | undefined): void => {
    if (finding) found.set(about, finding)
  }
  const isSelected = (station: WatchedStation | undefined): boolean =>
    selector === undefined || (station !== undefined && selects(selector, station))
  if (finds.station) {
    for (const station of seen.stations.values()) {
      if (isSelected(station)) add(station.id, finds.station(station, moment))
    }
  }
  if (finds.session) {
    for (const session of seen.sessions) {
      if (isSelected(seen.stations.get(session.chargePointId))) add(session.id, finds.session(session, moment))
    }
  }
  if (finds.webhook) for (const webhook of seen.webhooks) add(webhook.id, finds.webhook(webhook, moment))
  // A rule with a selector is about stations only.
  if (finds.server && selector === undefined) add('', finds.server(seen.server, moment))
  return found
}
