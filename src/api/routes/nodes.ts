/** The servers that share the database (STORE-N9), for those who run the installation. */
import { z } from '@hono/zod-openapi'
import { json as described, listOf, time } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { NodeFacts } from '../../domain/ports/nodes.ts'
import { credentialOnly } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { Problem } from '../problem.ts'
import { json } from '../respond.ts'

const NodeSchema = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    since: time(),
    lastSeenAt: time(),
    connections: z.int().openapi({ description: 'Charge points that are connected to it.' }),
    state: z.enum(['live', 'draining', 'silent', 'fenced']),
  })
  .openapi('Node')

export function addNodes({ endpoints, reads, core, now, version = 'unknown', nodes, node }: Api): void {
  const alone = async (): Promise<readonly NodeFacts[]> => {
    const { connections } = await core.statistics()
    const { name, since } = node ?? { name: 'pilotwire', since: now() }
    return [{ name, version, since, lastSeenAt: now(), connections, state: 'live' }]
  }
  endpoints.add({
    method: 'get',
    path: '/2/nodes',
    operationId: 'listNodes',
    tag: 'Operations',
    summary: 'List the nodes of this installation',
    description:
      'One entry for each name. `silent`: not heard of for 15 seconds, so another one will take its place; `fenced`: it has ended. Only for API credentials of the first account.',
    access: credentialOnly,
    responses: { 200: described(listOf('NodeList', NodeSchema), 'The nodes') },
    async handle({ principal }) {
      const [first] = [...(await reads.listAccounts())].sort(
        (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
      )
      if (first?.id !== principal.accountId) {
        throw new Problem(403, 'first_account_only', 'Only a credential of the first account sees the nodes.')
      }
      return json({ data: ((await nodes?.()) ?? (await alone())).map(represent), meta: {} })
    },
  })
}

function represent({ since, lastSeenAt, ...facts }: NodeFacts): object {
  return { ...facts, since: isoTime(since), lastSeenAt: isoTime(lastSeenAt) }
}
