import type { AlertRule } from '../../domain/alerts/records.ts'
import type { CertificateFailure, WatchedServer, WatchedSession, WatchedStation } from '../../domain/alerts/watched.ts'
import { chargePointPages, selectable } from '../../domain/blocks/selector.ts'
import { sessionPages } from '../../domain/every-page.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import type { UseCaseContext } from '../context.ts'
import { type Seen, subjectsOf } from './sweep.ts'

export type Sight = Pick<UseCaseContext, 'reads' | 'core'>

export async function seeAccount(
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
