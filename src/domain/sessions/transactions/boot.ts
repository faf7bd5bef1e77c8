/** BootNotification (SESSION-A15, OCPP-DR9, OCPP-DR10): open transactions become suspect, but a boot closes none. */

import { withBoot } from '../../energy/meter.ts'
import type { Outcome } from '../../ports/sessions.ts'
import { noteBoot } from '../../timeline/rules.ts'
import type { Input } from '../decision.ts'
import type { Draft } from '../draft.ts'
import { putFlagged } from './follow.ts'
import { doubted } from './orphans.ts'

type Booted = Extract<Input, { kind: 'booted' }>

export function onBooted(draft: Draft, input: Booted): Outcome {
  const registration = draft.state.registrationStatus
  const accepted = registration === 'Accepted'
  const { vendor, model, serialNumber, firmwareVersion } = input
  draft.status = {
    ...draft.status,
    ...(vendor !== undefined && { vendor }),
    ...(model !== undefined && { model }),
    ...(serialNumber !== undefined && { serialNumber }),
    ...(firmwareVersion !== undefined && { firmwareVersion }),
    // Answered otherwise it takes itself for not accepted, whatever is decided about it until it boots again (B02,
    // B03).
    bootedAt: accepted ? draft.now : undefined,
  }
  noteBoot(draft, draft.status)
  if (accepted) doubtOpenTransactions(draft)
  return { registration }
}

/** The stop may still lie in the station's queue (PowerLoss, Reboot): wait for it, and ask what is going on. */
function doubtOpenTransactions(draft: Draft): void {
  for (const transaction of draft.transactions()) {
    if (!transaction.open) continue
    putFlagged(draft, doubted({ ...transaction, meter: withBoot(transaction.meter, draft.now) }))
    const { transactionId, evseId, connectorId } = transaction
    draft.ask(
      transaction.sequence
        ? { kind: 'transactionStatus', transactionId }
        : { kind: 'triggerStatus', evseId, connectorId },
    )
  }
}
