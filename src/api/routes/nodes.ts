/** The servers that share the database (STORE-N9), for those who run the installation. */
import { z } from '@hono/zod-openapi'
import { listNodes } from '../../application/nodes/nodes.ts'
import { json as described, listOf, time } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { NodeFacts } from '../../domain/ports/nodes.ts'
import type { Api } from '../api-parts.ts'
import { json, orRefused } from '../respond.ts'

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

export function addNodes(api: Api): void {
  const { endpoints } = api
  endpoints.add({
    method: 'get',
    path: '/2/nodes',
    operationId: 'listNodes',
    tag: 'Operations',
    summary: 'List the nodes of this installation',
    description:
      'One entry for each name. `silent`: not heard of for 15 seconds, so another one will take its place; `fenced`: it has ended. Only for API credentials of the first account.',
    responses: { 200: described(listOf('NodeList', NodeSchema), 'The nodes') },
    handle: async ({ principal }) =>
      json({ data: orRefused(await listNodes(api, principal.accountId)).map(represent), meta: {} }),
  })
}

function represent({ since, lastSeenAt, ...facts }: NodeFacts): object {
  return { ...facts, since: isoTime(since), lastSeenAt: isoTime(lastSeenAt) }
}
