/** What the rules of one account find now, and what follows from it: pure (ALERT-R1 to ALERT-R3). */

import { KINDS, type Subject } from '../../domain/alerts/alert-kinds.ts'
import type { Alert, AlertFacts, AlertRule } from '../../domain/alerts/records.ts'
import { isToEscalate, nextStanding, type Standing } from '../../domain/alerts/standing.ts'
import type {
  Finding,
  Moment,
  WatchedServer,
  WatchedSession,
  WatchedStation,
  WatchedWebhook,
} from '../../domain/alerts/watched.ts'
import type { AlertChange } from '../../domain/events/alert-events.ts'
import { selects } from '../../domain/selector.ts'

/** ALERT-R2 */
const CALM_MS = 60_000

export interface Seen {
  readonly stations: ReadonlyMap<string, WatchedStation>
  readonly sessions: readonly WatchedSession[]
  readonly webhooks: readonly WatchedWebhook[]
  readonly server: WatchedServer
}

export type Standings = ReadonlyMap<string, Standing>

export interface Change {
  readonly what: AlertChange
  readonly about: string
  readonly since: number
  readonly facts: AlertFacts
  readonly alert?: Alert | undefined
}

export function subjectsOf(rules: readonly AlertRule[]): ReadonlySet<Subject> {
  const subjects = new Set(rules.flatMap(({ kind }) => Object.keys(KINDS[kind].finds) as Subject[]))
  if (subjects.has('session') && rules.some(({ kind, selector }) => KINDS[kind].finds.session && selector)) {
    subjects.add('station')
  }
  return subjects
}

/** @param before as of the last sweep @param raised stored alerts that are on @param taken acknowledged ids */
export function sweepRule(
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
