/** Every change over the API is recorded, under the name of its operation (ADMIN-C2). */

import type { Context } from 'hono'
import { type Auditing, audited, orderOf, outcomeOfStatus } from '../../application/audit/auditing.ts'
import { SECRET_PREFIXES } from '../../domain/accounts/credentials.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { AuditEvent } from '../../domain/ports/storage-oidc.ts'
import type { Principal } from './access.ts'

export interface ApiAuditing extends Auditing {
  readonly reads: Pick<Reads, 'findUser'>
  readonly now: () => number
}

const MAX_SUBJECT_CHARACTERS = 300

interface Request {
  readonly operationId: string
  readonly principal: Principal
  readonly address: string | undefined
  readonly context: Context
  readonly detail?: string | undefined
}

export async function auditedRequest(
  auditing: ApiAuditing,
  request: Request,
  work: () => Promise<Response>,
): Promise<Response> {
  const event = await eventOf(auditing, request)
  return audited(auditing, event, work, (response) => {
    const made = response.headers.get('location')?.split('/').at(-1)
    return {
      outcome: outcomeOfStatus(response.status),
      ...(made !== undefined && { subject: decodeURIComponent(made) }),
    }
  })
}

export async function auditForbidden(auditing: ApiAuditing, request: Request): Promise<void> {
  await auditing.writes.audit({ ...(await eventOf(auditing, request)), outcome: 'forbidden' })
}

async function eventOf(
  { reads, now }: ApiAuditing,
  { operationId, principal, address, context, detail }: Request,
): Promise<Omit<AuditEvent, 'outcome'>> {
  const named = Object.values(context.req.param() as Record<string, string>)
  const subject = named.length > 0 ? named.join(' ') : undefined
  const reported = detail === undefined ? subject : orderOf(detail, subject)
  return {
    at: now(),
    kind: operationId,
    accountId: principal.accountId,
    ...(await actorOf(reads, principal)),
    ip: address,
    ...(reported !== undefined && { subject: reported.slice(0, MAX_SUBJECT_CHARACTERS) }),
  }
}

export async function actorOf(
  reads: Pick<Reads, 'findUser'>,
  principal: Principal,
): Promise<Pick<AuditEvent, 'actor' | 'role' | 'userId' | 'clientId'>> {
  if (principal.kind === 'credential') {
    return { actor: SECRET_PREFIXES.apiCredential + principal.credentialId, role: 'credential' }
  }
  const { userId, clientId } = principal
  const user = await reads.findUser(userId)
  return { actor: user?.email, role: 'application', userId, clientId }
}
