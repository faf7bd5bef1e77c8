/** What both versions share about BootNotification: the station's facts, and the answer's wording. */
import type { Input } from '../../domain/sessions/decision.ts'
import type { FromChargePoint } from '../version.ts'
import { sentTime, text } from './payload.ts'

/** Missing or malformed facts are absent: earlier ones stay. */
export function booted(facts: {
  readonly vendor: unknown
  readonly model: unknown
  readonly serialNumber: unknown
  readonly firmwareVersion: unknown
}): Input {
  const vendor = fact(facts.vendor)
  const model = fact(facts.model)
  const serialNumber = fact(facts.serialNumber)
  const firmwareVersion = fact(facts.firmwareVersion)
  return { kind: 'booted', vendor, model, serialNumber, firmwareVersion }
}

/** Ten times what OCPP allows: kept in memory, also for unaccepted charge points (OCPP-RP14). The log has it all. */
const FACT_CHARACTERS = 500

function fact(value: unknown): string | undefined {
  return text(value)?.slice(0, FACT_CHARACTERS)
}

/** Without a decision the station waits and boots again, which is harmless. */
export const bootAnswer: FromChargePoint['answer'] = (
  _request,
  { registration = 'Pending' },
  { now, heartbeatIntervalSeconds, bootRetrySeconds },
) => ({
  status: registration,
  currentTime: sentTime(now),
  interval: registration === 'Accepted' ? heartbeatIntervalSeconds : bootRetrySeconds,
})
