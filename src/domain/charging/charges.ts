import type { ChargePointState, Transaction } from '../ports/sessions.ts'

export interface Charging {
  readonly evseId: number
  readonly transactionId: string
  readonly startedAt: number
}

/** 1.6 has no EVSEs: the connector is one. */
export function evseOf({
  evseId,
  connectorId,
}: Partial<Pick<Transaction, 'evseId' | 'connectorId'>>): number | undefined {
  return evseId ?? connectorId
}

export function chargesOf({ transactions }: Pick<ChargePointState, 'transactions'>): readonly Charging[] {
  const charges: Charging[] = []
  for (const transaction of transactions.values()) {
    // Another one runs there: what is replayed from a queue charges nothing now (SESSION-A6).
    const isRunning = transaction.open && !transaction.flags.includes('historical')
    const evseId = isRunning ? evseOf(transaction) : undefined
    if (evseId === undefined) continue
    charges.push({ evseId, transactionId: transaction.transactionId, startedAt: transaction.startedAt.occurredAt })
  }
  return charges
}
