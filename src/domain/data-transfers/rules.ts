/** What a vendor's message is answered (TIMELINE-T1), and its event (TIMELINE-T3). */
import type { BlockDraft } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { transferReceived } from './events.ts'
import type { DataTransferAnswer, DataTransferInput } from './records.ts'

const DATA_CHARACTERS = 64 * 1024

export function answerTransfer(
  draft: BlockDraft,
  { vendorId, messageId, data }: DataTransferInput,
  registered: DataTransferAnswer | undefined,
): Outcome {
  const transfer = answerOf(registered, messageId)
  const { chargePointId } = draft.state
  const isDataLeftOut = data !== undefined && JSON.stringify(data).length > DATA_CHARACTERS
  draft.tell(
    transferReceived.of({
      chargePointId,
      at: draft.now,
      vendorId,
      messageId,
      data: isDataLeftOut ? undefined : data,
      isDataLeftOut,
      status: transfer.status,
    }),
  )
  return { transfer }
}

export function answerOf(
  registered: Pick<DataTransferAnswer, 'status' | 'data' | 'messageIds'> | undefined,
  messageId: string | undefined,
): NonNullable<Outcome['transfer']> {
  if (!registered) return { status: 'UnknownVendorId' }
  const { status, data, messageIds } = registered
  if (messageIds && (messageId === undefined || !messageIds.includes(messageId))) return { status: 'UnknownMessageId' }
  return data === undefined ? { status } : { status, data }
}
