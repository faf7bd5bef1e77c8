/** How a version carries the cost of an active charge (DRIVER-C1). */
import type { FrozenTariff } from '../../domain/ports/sessions.ts'
import type { OutgoingCall, Payload } from '../payload.ts'

export interface CostFacts {
  readonly transactionId: string
  /** As the API shows it. */
  readonly cost: number
  readonly currency: string
  readonly tariff?: FrozenTariff | undefined
  readonly isIdle: boolean
  /** The register, where known. */
  readonly meterWh?: number | undefined
  readonly at: number
}

export interface CostsOnWire {
  readonly running: (facts: CostFacts) => OutgoingCall
  /** Absent: the answer to the end of the charge has it. */
  readonly final?: (facts: CostFacts) => OutgoingCall
  readonly readAnswer: (response: Payload) => 'accepted' | 'refused' | 'unsupported'
}
