/** Calls whose answer waits for a service of the operator, which is asked once they are stored (OCPP21-C8). */

import type { VatNumberChecked, VatNumberQuestion } from '../../domain/payments/records.ts'
import type { CheckVatNumber, Log } from '../../domain/ports/core.ts'

export interface LateAnswers {
  /** @param answer decides, with what the service said */
  ask(chargePointId: string, question: VatNumberQuestion, answer: (checked: VatNumberChecked) => void): void
  /** For a stop: what is open is answered at once. @returns whether something was */
  stop(): Promise<boolean>
}

export function createLateAnswers(check: CheckVatNumber, log: Log): LateAnswers {
  const stopping = new AbortController()
  const open = new Set<Promise<void>>()
  return {
    ask(chargePointId, question, answer) {
      const asked = check({ ...question, chargePointId }, stopping.signal).then((checked) => {
        open.delete(asked)
        const { verdict, reason } = checked
        if (verdict === 'unknown') log.warn({ chargePoint: chargePointId, reason }, 'a VAT number could not be checked')
        answer({ kind: 'vatNumberChecked', ...checked })
      })
      open.add(asked)
    },
    async stop() {
      const wasOpen = open.size > 0
      stopping.abort()
      await Promise.all(open)
      return wasOpen
    },
  }
}
