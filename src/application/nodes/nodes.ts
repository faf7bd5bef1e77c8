import type { NodeFacts } from '../../domain/ports/nodes.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refuse } from '../../domain/refuse.ts'
import type { UseCaseContext } from '../context.ts'

interface NodesContext extends Pick<UseCaseContext, 'reads' | 'core' | 'now'> {
  readonly version?: string | undefined
  /** Undefined: one process has the database to itself. */
  readonly nodes?: (() => Promise<readonly NodeFacts[] | undefined>) | undefined
  readonly node?: { readonly name: string; readonly since: number } | undefined
}

/** Refused to all but the first account, whose installation it is. */
export async function listNodes(place: NodesContext, accountId: string): Promise<readonly NodeFacts[] | Refusal> {
  if (await runsInstallation(place.reads, accountId)) return (await place.nodes?.()) ?? (await alone(place))
  return refuse(403, 'first_account_only', 'Only the first account sees the nodes.')
}

export async function runsInstallation(reads: NodesContext['reads'], accountId: string): Promise<boolean> {
  const [first] = [...(await reads.listAccounts())].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  return first?.id === accountId
}

async function alone({ core, now, version = 'unknown', node }: NodesContext): Promise<readonly NodeFacts[]> {
  const { connections } = await core.statistics()
  const { name, since } = node ?? { name: 'pilotwire', since: now() }
  return [{ name, version, since, lastSeenAt: now(), connections, state: 'live' }]
}
