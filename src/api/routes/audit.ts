/** Who did what in an account, newest first (ADMIN-C3). */
import { AuditListSchema, auditQuery } from '../../application/schemas/users.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { AuditRow } from '../../domain/ports/storage-administration.ts'
import type { Api } from '../api-parts.ts'
import { isNumber, pageOf } from '../list-page.ts'
import { windowFaults } from '../requests/validation.ts'
import { resource } from '../resource.ts'

export function addAudit(api: Api): void {
  const entries = resource(api, { tag: 'Audit log', path: '/2/audit' })
  entries.get('', 'listAudit', 'List audit entries, newest first', {
    query: auditQuery,
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    ok: [AuditListSchema, 'A page of the audit log'],
    handle: (request) => {
      const { from, to, actor } = request.query
      const { accountId } = request.principal
      return pageOf(api, request, {
        name: 'audit',
        place: ({ id }: AuditRow) => [id] as const,
        isPlace: isNumber,
        rows: (limit, below) => api.reads.searchAudit({ accountId, from, to, actor, belowId: below?.[0], limit }),
        show: (rows) => rows.map(represent),
      })
    },
  })
}

function represent({ id, at, actor, role, ip, kind, subject, outcome = 'done' }: AuditRow): object {
  return { id: String(id), at: isoTime(at), actor, role, from: ip, action: kind, subject, outcome }
}
