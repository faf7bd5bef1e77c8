/**
 * Commands to charge points, single rows of the log, and what the log holds (API-A8; SESSION-O1, SESSION-O3,
 * SESSION-O4, SESSION-O6).
 */

import { answerIs } from '../../application/audit/auditing.ts'
import { orderWords } from '../../application/charge-points/order-words.ts'
import { answerWords } from '../../application/charge-points/verdict.ts'
import { chargePointParams } from '../../application/schemas/charge-points.ts'
import {
  CommandSchema,
  commandParams,
  MethodCountsSchema,
  methodsQuery,
  SendCommandSchema,
  SentCommandSchema,
  waitQuery,
} from '../../application/schemas/commands.ts'
import { json as described, located } from '../../application/schemas/common.ts'
import { logIdToUuid, uuidToLogId } from '../../domain/message-log/log-id.ts'
import { freezeWindow } from '../../domain/message-log/search-window.ts'
import { commandJson } from '../../domain/message-log/shown-command.ts'
import { capabilitiesOf, needsScope, visibleChargePoint } from '../access/access.ts'
import { challengeOf } from '../access/authenticate.ts'
import type { Api } from '../api-parts.ts'
import { notFound } from '../problem.ts'
import { windowFaults } from '../requests/validation.ts'
import { json, jsonText, orRefused } from '../respond.ts'
import { timed } from '../search.ts'
import { protectedResourceUrl } from './protected-resource.ts'

const TAG = 'Commands'
const PATH = '/2/evse-controllers/{evseController}/commands'

export function addCommands(api: Api): void {
  addSending(api)
  addMethods(api)
  addOne(api)
}

function addSending({ endpoints, reads, core, salt, settings }: Api): void {
  const challenge = challengeOf(protectedResourceUrl(settings.baseUrl))
  const forbidden = { 'www-authenticate': challenge('error="insufficient_scope"') }
  endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'sendCommand',
    auditSubject: ({ method, request }) => orderWords(method, request),
    tag: TAG,
    summary: 'Send a command to a charge point',
    description:
      'Answers 202 with the pending row at once, or, with wait, 200 with the row as answered (202 when the wait was too short). Idempotency-Key makes a repetition safe: one key is one command. Where the device model says how much the charge point takes at once, a longer GetVariables, SetVariables, GetConfiguration or list of monitors is sent in parts, and shown as one command with the answers of all; parts names the commands that stand in the log. An access token may start, stop, unlock and change the availability; every other command needs an API credential, and is answered 403 insufficient_scope otherwise.',
    access: needsScope('chargers:control'),
    params: chargePointParams,
    query: waitQuery,
    body: SendCommandSchema,
    idempotent: 'optional',
    problems: [422],
    responses: {
      200: located(SentCommandSchema, 'The row as answered'),
      202: located(SentCommandSchema, 'The row as long as it waits for its answer'),
    },
    async handle({ principal, params, query, body }) {
      const { id: chargePointId } = await visibleChargePoint(reads, principal, params.evseController)
      const { method, request, wait = query.wait ?? 0, ttl } = body
      const capabilities = capabilitiesOf(principal)
      const row = orRefused(
        await core.sendCommand({
          accountId: principal.accountId,
          chargePointId,
          method,
          request,
          ...(capabilities && { capabilities }),
          waitMs: wait * 1000,
          ...(ttl !== undefined && { ttlMs: ttl * 1000 }),
          ...(principal.kind === 'token' && { grantId: principal.grantId }),
        }),
        forbidden,
      )
      if (row.status !== 'pending') answerIs(answerWords(row))
      const parts = row.parts?.map((part) => logIdToUuid(part, salt))
      const whole = commandJson(row, salt)
      const text = parts ? `${whole.slice(0, -1)},"parts":${JSON.stringify(parts)}}` : whole
      const { id } = JSON.parse(text) as { id: string }
      const location = `/2/evse-controllers/${encodeURIComponent(chargePointId)}/commands/${id}`
      return jsonText(text, row.status === 'pending' ? 202 : 200, { location })
    },
  })
}

function addMethods(api: Api): void {
  const { endpoints, reads } = api
  endpoints.add({
    method: 'get',
    path: `${PATH}/methods`,
    operationId: 'countMethods',
    tag: TAG,
    summary: 'List the methods in the message log',
    description: 'Every method of the window with the number of its rows.',
    access: needsScope('chargers:read'),
    rate: 'v2',
    params: chargePointParams,
    query: methodsQuery,
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    responses: { 200: described(MethodCountsSchema, 'Methods and counts') },
    async handle({ principal, params, query: { from, to }, context }) {
      const { id } = await visibleChargePoint(reads, principal, params.evseController)
      const bounds = { fromMs: from, ...(to !== undefined && { toMs: to }) }
      const { fromId, toId } = freezeWindow(bounds, (await reads.newestCommandId(id)) ?? 0)
      const isEmpty = fromId >= toId
      const found = await timed(api, 'methods', 'v2', { principal, context }, async (log) =>
        isEmpty ? [] : log.commandMethods(id, fromId, toId),
      )
      return json({ data: found, meta: {} })
    },
  })
}

function addOne({ endpoints, reads, salt }: Api): void {
  endpoints.add({
    method: 'get',
    path: `${PATH}/{commandId}`,
    // Other words in its place are other resources: GET …/commands/search is 405 and not "no such command".
    patterns: { commandId: '[0-9A-Fa-f-]{36}' },
    operationId: 'getCommand',
    tag: TAG,
    summary: 'Get a command of the message log',
    access: needsScope('chargers:read'),
    params: commandParams,
    responses: { 200: described(CommandSchema, 'The row') },
    async handle({ principal, params }) {
      const { id } = await visibleChargePoint(reads, principal, params.evseController)
      const logId = uuidToLogId(params.commandId, salt)
      const row = logId === undefined ? undefined : await reads.findCommand(id, logId)
      if (!row) throw notFound('command')
      return jsonText(commandJson(row, salt))
    },
  })
}
