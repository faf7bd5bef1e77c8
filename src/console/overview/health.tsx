/** The health of what stands behind the pages: server, nodes, webhooks, backups (CONSOLE-A25). */
import type { Child, FC } from 'hono/jsx'
import { runsInstallation } from '../../application/nodes/nodes.ts'
import type { NodeFacts, StorageFigures } from '../../domain/ports/nodes.ts'
import type { DeliveryStatistics, Subscription } from '../../domain/ports/storage-webhooks.ts'
import { DAY_MS } from '../../domain/time-zone.ts'
import type { Frame } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Ago, shownSpan } from '../../web/times.tsx'
import { Chip, Panel, wordsIn } from '../kit/parts.tsx'
import type { Visit } from '../visit.tsx'

/** Of applications; no user looks through more of them to find the failing ones. */
const WEBHOOKS_COUNTED = 500
/** Daily ones, of which one failed. */
const BACKUP_DUE_MS = 2 * DAY_MS
/** A healthy receiver gets its events within seconds. */
const BACKLOG_MS = 5 * 60_000

interface Health {
  /** Commits and flushes that failed since the server started. */
  readonly failedWrites: number
  /** Absent: not visible to the visitor. */
  readonly webhooks?: { readonly total: number; readonly failing: number } | undefined
  /** Absent for visitors who do not run the installation. */
  readonly installation?:
    | {
        readonly nodes: readonly NodeFacts[] | undefined
        readonly storage: StorageFigures
        readonly deliveries: DeliveryStatistics
      }
    | undefined
}

export async function healthOf(visit: Visit): Promise<Health> {
  const { administrator, accountId, site } = visit
  const { failedCommits, failedFlushes } = await visit.site.core.statistics()
  const failedWrites = failedCommits + failedFlushes
  if (!administrator) return { failedWrites }
  const [own, ofApplications, isTheirs] = await Promise.all([
    site.reads.listSubscriptions({ accountId }),
    site.reads.listGrantSubscriptions({ accountId, limit: WEBHOOKS_COUNTED }),
    runsInstallation(site.reads, accountId),
  ])
  const all = [...own, ...ofApplications].filter(({ status }) => status !== 'revoked')
  const webhooks = { total: all.length, failing: all.filter(isFailing).length }
  if (!visit.site.installation || !isTheirs) return { failedWrites, webhooks }
  const [nodes, storage, deliveries] = await Promise.all([
    visit.site.installation.nodes(),
    visit.site.installation.storageFigures(),
    site.reads.deliveryStatistics(site.now()),
  ])
  return { failedWrites, webhooks, installation: { nodes, storage, deliveries } }
}

function isFailing({ status, failingSince, disabledReason }: Subscription): boolean {
  if (status === 'disabled') return disabledReason === 'failing' || disabledReason === 'gone'
  return status === 'active' && failingSince !== undefined
}

type Line = readonly [name: Child, said: Child, trouble?: string | undefined]

export const HealthPanel: FC<{ frame: Frame; health: Health; baseUrl: string }> = ({ frame, health, baseUrl }) => {
  const words = wordsIn('overview', frame)
  const lines = linesOf(frame, health, baseUrl)
  return (
    <Panel edge title={words.health}>
      <ul class="health">
        {lines.map(([name, said, trouble]) => (
          <li>
            <span>{name}</span>
            <span class="soft">{said}</span>
            <Chip tone={trouble === undefined ? 'over' : 'amber'} text={trouble ?? words.well} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function linesOf(frame: Frame, { failedWrites, webhooks, installation }: Health, baseUrl: string): readonly Line[] {
  const words = wordsIn('overview', frame)
  const figure = (value: number): string => shownFigure(frame, value)
  const server: Line = [
    <a href={`${baseUrl}/readyz`}>{words.server}</a>,
    failedWrites === 0 ? words.serverWell : words.serverBehind(figure(failedWrites)),
    failedWrites > 0 ? words.looking : undefined,
  ]
  const receivers =
    webhooks &&
    ([
      <a href={`${frame.root}/webhooks`} data-figure="webhooks">
        {words.webhooks} <span class="unseen">{words.failingOf(figure(webhooks.failing))}</span>
      </a>,
      installation ? <Backlog frame={frame} {...installation.deliveries} /> : words.receivers(figure(webhooks.total)),
      webhooks.failing > 0 ? words.partOf(figure(webhooks.failing), figure(webhooks.total)) : undefined,
    ] as const)
  const nodes = installation && nodesLine(frame, installation.nodes)
  return [server, nodes, receivers, installation && backupLine(frame, installation.storage)].filter(
    (line) => line !== undefined,
  )
}

/** Where one process has the database to itself it is the one that answers. */
function nodesLine(frame: Frame, nodes: readonly NodeFacts[] | undefined): Line {
  const words = wordsIn('overview', frame)
  const known = nodes?.filter(({ state }) => state !== 'fenced')
  const live = known?.filter(({ state }) => state === 'live').length ?? 1
  const part = words.partOf(shownFigure(frame, live), shownFigure(frame, known?.length ?? 1))
  const silent = known?.filter(({ state }) => state === 'silent').map(({ name }) => name) ?? []
  return silent.length > 0 ? [words.nodes, words.silent(silent.join(', ')), part] : [words.nodes, words.live(part)]
}

function backupLine(frame: Frame, { lastBackupAt }: StorageFigures): Line {
  const words = wordsIn('overview', frame)
  if (lastBackupAt === undefined) return [words.backups, words.noBackup, words.none]
  const isOld = frame.now - lastBackupAt > BACKUP_DUE_MS
  return [words.backups, <Ago frame={frame} at={lastBackupAt} />, isOld ? words.old : undefined]
}

const Backlog: FC<{ frame: Frame } & DeliveryStatistics> = ({ frame, due, waiting, held, oldestDueAt }) => {
  const words = wordsIn('overview', frame)
  const count = due + waiting + held
  if (count === 0) return <>{words.noBacklog}</>
  const oldest = oldestDueAt === undefined ? 0 : frame.now - oldestDueAt
  const reported = words.backlog(shownFigure(frame, count))
  return <>{oldest > BACKLOG_MS ? `${reported}, ${words.oldest(shownSpan(frame, oldest))}` : reported}</>
}
