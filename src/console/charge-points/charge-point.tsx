/** One charge point with its message log, and one message of it. */
import { uuidToLogId } from '../../commands/log-id.ts'
import { freezeWindow } from '../../commands/window.ts'
import type { ChargePointView } from '../../ports/storage.ts'
import { pageOfRows, ROWS_ASKED } from '../page-of-rows.ts'
import type { ConsolePage, OperatorParts } from '../parts.ts'
import { showing, type Visit } from '../visit.tsx'
import { ChargePointPage, MessagePage } from './charge-point-page.tsx'
import type { MessageLogProps } from './message-log.tsx'
import { askedMessages, readMessageQuery, readPosition } from './message-query.ts'

export function showChargePoint(parts: OperatorParts): ConsolePage {
  return showing('anybody', async (visit) => {
    const view = await ownChargePoint(visit)
    if (!view) return undefined
    const [live] = await parts.core.connectivity([view.id])
    const log = await messagesOf(parts, visit, view.id)
    return (
      <ChargePointPage frame={visit.frame} chargePoint={{ view, ...(live && { live }) }} log={log} salt={parts.salt} />
    )
  })
}

export function showMessage({ salt }: OperatorParts): ConsolePage {
  return showing('anybody', async (visit) => {
    const view = await ownChargePoint(visit)
    const id = uuidToLogId(visit.context.req.param('commandId') ?? '', salt)
    const message = view && id !== undefined ? await visit.provider.reads.findCommand(view.id, id) : undefined
    return message && <MessagePage frame={visit.frame} message={message} salt={salt} />
  })
}

async function ownChargePoint({ provider, context, accountId }: Visit): Promise<ChargePointView | undefined> {
  const found = await provider.reads.findChargePoint(context.req.param('chargePoint') ?? '')
  return found?.accountId === accountId ? found : undefined
}

async function messagesOf(
  { searchLog, salt }: OperatorParts,
  { provider, context, accountId }: Visit,
  chargePointId: string,
): Promise<MessageLogProps> {
  const asked = askedMessages(context.req.query())
  const query = readMessageQuery(asked)
  if (!query.ok) return { asked, faults: query.faults, messages: [], later: false }
  const { filter, bounds } = query.value
  const belowId = readPosition(context.req.query('before'), salt)
  const window = freezeWindow(bounds, (await provider.reads.newestCommandId(chargePointId)) ?? 0)
  const found =
    window.fromId < window.toId
      ? await searchLog({ accountId, lane: 'page', signal: context.req.raw.signal }).searchCommands({
          chargePointId,
          ...window,
          filter,
          limit: ROWS_ASKED,
          ...(belowId !== undefined && { belowId }),
        })
      : []
  const { rows: messages, last } = pageOfRows(found)
  return { asked, faults: [], messages, later: belowId !== undefined, ...(last && { olderThan: last.id }) }
}
