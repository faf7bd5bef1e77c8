/** Commands to charge points, and the log's single rows (API-A8; SESSION-O1, SESSION-O3, SESSION-O4, SESSION-O6). */

import { answerIs } from '../../application/audit/auditing.ts'
import { orderWords } from '../../application/charge-points/order-words.ts'
import {
  CommandSchema,
  commandParams,
  MethodCountsSchema,
  methodsQuery,
  SendCommandSchema,
  SentCommandSchema,
  waitQuery,
} from '../../application/schemas/commands.ts'
import { located } from '../../application/schemas/common.ts'
import { commandJson } from '../../domain/message-log/csv.ts'
import { logIdToUuid, uuidToLogId } from '../../domain/message-log/log-id.ts'
import { freezeWindow } from '../../domain/message-log/search.ts'
import { answerOutcome, answerWords } from '../../ocpp/orders/verdict.ts'
import { versionOf } from '../../ocpp/versions.ts'
import { capabilitiesOf, grantOf } from '../access/access.ts'
import { challengeOf } from '../access/authenticate.ts'
import type { Api } from '../api-parts.ts'
import { windowFaults } from '../requests/validation.ts'
import { chargePointResource } from '../resource.ts'
import { jsonText, orNotFound, orRefused } from '../respond.ts'
import { timed } from '../search.ts'
import { protectedResourceUrl } from './health-and-metrics.ts'

export function addCommands(api: Api): void {
  const { reads, core, salt, settings } = api
  const challenge = challengeOf(protectedResourceUrl(settings.baseUrl))
  const forbidden = { 'www-authenticate': challenge('error="insufficient_scope"') }
  const commands = chargePointResource(api, {
    tag: 'Commands',
    path: '/commands',
  })
  commands.post('', 'sendCommand', 'Send a command to a charge point', {
    auditSubject: ({ method, request }) => orderWords(method, request),
    description:
      'Answers 202 with the pending row at once, or, with wait, 200 with the row as answered (202 when the wait was too short). Idempotency-Key makes a repetition safe: one key is one command. Where the device model says how much the charge point takes at once, a longer GetVariables, SetVariables, GetConfiguration or list of monitors is sent in parts, and shown as one command with the answers of all; parts names the commands that stand in the log. An access token may start, stop, unlock and change the availability; every other command needs an API credential, and is answered 403 insufficient_scope otherwise.',
    query: waitQuery,
    body: SendCommandSchema,
    idempotent: 'optional',
    problems: [422],
    responses: {
      200: located(SentCommandSchema, 'The row as answered'),
      202: located(SentCommandSchema, 'The row as long as it waits for its answer'),
    },
    async handle({ principal, chargePoint: { id: chargePointId, accountId }, query, body }) {
      const { method, request, wait = query.wait ?? 0, ttl } = body
      const order = {
        accountId,
        chargePointId,
        method,
        request,
        waitMs: wait * 1000,
        capabilities: capabilitiesOf(principal),
        ttlMs: ttl === undefined ? undefined : ttl * 1000,
        grantId: grantOf(principal),
      }
      const row = orRefused(await core.sendCommand(order), forbidden)
      if (row.status !== 'pending') answerIs(answerWords(row), answerOutcome(row))
      const parts = row.parts?.map((part) => logIdToUuid(part, salt))
      const whole = commandJson(row, salt)
      const warnings = versionOf(row.protocol)?.warnings?.({ method, request }) ?? []
      const more = JSON.stringify({ parts, ...(warnings.length > 0 && { warnings }) })
      const text = more === '{}' ? whole : `${whole.slice(0, -1)},${more.slice(1)}`
      const { id } = JSON.parse(text) as { id: string }
      const location = `/2/evse-controllers/${encodeURIComponent(chargePointId)}/commands/${id}`
      return jsonText(text, row.status === 'pending' ? 202 : 200, { location })
    },
  })
  commands.get('/methods', 'countMethods', 'List the methods in the message log', {
    description: 'Every method of the window with the number of its rows.',
    rate: 'v2',
    query: methodsQuery,
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    ok: [MethodCountsSchema, 'Methods and counts'],
    async handle({ principal, chargePoint: { id }, query: { from, to }, context }) {
      const { fromId, toId } = freezeWindow({ fromMs: from, toMs: to }, (await reads.newestCommandId(id)) ?? 0)
      const isEmpty = fromId >= toId
      const found = await timed(api, 'methods', { principal, context }, async (log) =>
        isEmpty ? [] : log.commandMethods(id, fromId, toId),
      )
      return { data: found, meta: {} }
    },
  })
  commands.get('/{commandId}', 'getCommand', 'Get a command of the message log', {
    // Other words in its place are other resources: GET …/commands/search is 405 and not "no such command".
    patterns: { commandId: '[0-9A-Fa-f-]{36}' },
    params: commandParams,
    ok: [CommandSchema, 'The row'],
    async handle({ chargePoint: { id }, params }) {
      const logId = uuidToLogId(params.commandId, salt)
      const row = orNotFound(logId === undefined ? undefined : await reads.findCommand(id, logId), 'command')
      return jsonText(commandJson(row, salt))
    },
  })
}
