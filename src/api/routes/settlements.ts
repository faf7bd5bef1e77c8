/** Settling a session, and correcting a settlement (COST-L2, COST-L3). */
import { z } from '@hono/zod-openapi'
import { json as described, typedText } from '../../application/schemas/common.ts'
import { amount, currency, millionths } from '../../application/schemas/money.ts'
import { SessionSchema, sessionParams } from '../../application/schemas/sessions.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { DESCRIPTION } from '../../domain/typed-text.ts'
import type { Api } from '../api-parts.ts'
import { resource } from '../resource.ts'
import { json, orRefused } from '../respond.ts'
import { visibleSession } from './sessions.ts'

const SettlementSchema = z
  .strictObject({
    cost: amount('Excluding VAT.').optional(),
    currency: currency.optional(),
    energyKwh: amount('Kilowatt-hours; a correction may lower it.').optional(),
    reason: typedText(DESCRIPTION).optional(),
  })
  .openapi('Settlement')

export function addSettlements(api: Api): void {
  const settlements = resource(api, {
    tag: 'Sessions',
    path: '/2/sessions/{sessionId}/settlements',
    params: sessionParams,
  })
  settlements.post('', 'settleSession', 'Settle a completed session, or correct a settlement', {
    description:
      'Figures left out keep their value. Each call that changes a figure counts one up and sends one event; equal figures answer 200 and change nothing.',
    body: SettlementSchema,
    idempotent: 'required',
    responses: {
      201: described(SessionSchema, 'Settled or corrected'),
      200: described(SessionSchema, 'The same figures as before'),
    },
    async handle({ principal, params, body: { cost, energyKwh, currency: code, reason } }) {
      const { id } = await visibleSession(api, principal, params.sessionId)
      const { session, counted } = orRefused(
        await api.core.settle({
          accountId: principal.accountId,
          sessionId: id,
          currency: code,
          reason,
          costMicros: cost === undefined ? undefined : millionths(cost),
          energyMilliWh: energyKwh === undefined ? undefined : millionths(energyKwh),
          by: principal.kind === 'credential' ? `credential ${principal.credentialId}` : `user ${principal.userId}`,
        }),
      )
      return json(representSession(session), counted ? 201 : 200)
    },
  })
}
