/** Who did what in an account, newest first (ADMIN-C3). */

import { json as described, PAGE_DEFAULT } from '../../application/schemas/common.ts'
import { AuditListSchema, auditQuery } from '../../application/schemas/users.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { AuditRow } from '../../domain/ports/storage-administration.ts'
import { credentialOnly } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { foreignCursor, listQuery, openCursor } from '../list-page.ts'
import { windowFaults } from '../requests/validation.ts'
import { json } from '../respond.ts'

export function addAudit(api: Api): void {
  api.endpoints.add({
    method: 'get',
    path: '/2/audit',
    operationId: 'listAudit',
    tag: 'Audit log',
    summary: 'List audit entries, newest first',
    access: credentialOnly,
    query: auditQuery,
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    responses: { 200: described(AuditListSchema, 'A page of the audit log') },
    async handle({ principal, query: { limit = PAGE_DEFAULT, cursor, ...wanted } }) {
      const bound = listQuery('audit', principal, { limit, ...wanted })
      const belowId = cursor === undefined ? undefined : openCursor(api, cursor, bound, '?cursor')[0]
      if (belowId !== undefined && typeof belowId !== 'number') throw foreignCursor()
      const found = await api.reads.searchAudit({
        accountId: principal.accountId,
        ...wanted,
        ...(belowId !== undefined && { belowId }),
        limit: limit + 1,
      })
      const rows = found.slice(0, limit)
      const last = found.length > limit ? rows.at(-1) : undefined
      const nextCursor = last && api.cursors.seal([last.id], bound, api.now())
      return json({ data: rows.map(represent), meta: { nextCursor } })
    },
  })
}

function represent({ id, at, actor, role, ip, kind, subject, outcome = 'done' }: AuditRow): object {
  return {
    id: String(id),
    at: isoTime(at),
    ...(actor !== undefined && { actor }),
    ...(role !== undefined && { role }),
    ...(ip !== undefined && { from: ip }),
    action: kind,
    ...(subject !== undefined && { subject }),
    outcome,
  }
}
