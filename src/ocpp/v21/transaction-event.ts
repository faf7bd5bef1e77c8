/** OCPP 2.1 E16, E17, I12: beside what 2.0.1 says, limits that the station enforces, and costs that it reckons. */
import type { ReportedStationCost, ReportedTerms, StationLimits } from '../../domain/sessions/limits/records.ts'
import type { InboundRules } from '../translate/message.ts'
import { number, type OutgoingCall, object, type Payload, text } from '../translate/payload.ts'
import { answered, transactionEventWith } from '../v201/transaction-event.ts'

/** Milli-Wh of a Wh, micro-units of an amount, milliseconds of a second. */
const [PER_WH, PER_UNIT, PER_SECOND] = [1000, 1_000_000, 1000]

/** Of what is kept with a session; no official text is longer. */
const MAX_TEXT = 500

export const transactionEvent: InboundRules = {
  ...transactionEventWith(reportedTerms),
  answer(request, outcome) {
    const plain = answered(request, outcome)
    if (plain.totalCost === undefined && !outcome.transactionLimit) return plain
    const { totalCost, ...rest } = plain
    const { grossCost = totalCost, transactionLimit } = outcome
    return {
      ...rest,
      // E16.FR.16: a station that reckons the cost itself is not sent ours.
      ...(totalCost !== undefined && request.costDetails === undefined && { totalCost: grossCost }),
      ...(transactionLimit && { transactionLimit: limitsOnWire(transactionLimit) }),
    }
  },
}

/** The next TransactionEvent's answer carries what changed, and this brings one about. */
export function transactionTrigger(evseId: number | undefined): OutgoingCall {
  const evse = evseId !== undefined && evseId > 0 ? { evse: { id: evseId } } : {}
  return { method: 'TriggerMessage', request: { requestedMessage: 'TransactionEvent', ...evse } }
}

function limitsOnWire({ energyMilliWh, costMicros, durationMs }: StationLimits): Payload {
  return {
    ...(energyMilliWh !== undefined && { maxEnergy: energyMilliWh / PER_WH }),
    ...(costMicros !== undefined && { maxCost: costMicros / PER_UNIT }),
    ...(durationMs !== undefined && { maxTime: Math.ceil(durationMs / PER_SECOND) }),
  }
}

/** Most messages: shared, as one for each cost processor time. */
const NO_TERMS: ReportedTerms = Object.freeze({})

function reportedTerms(request: Payload): ReportedTerms {
  const { transactionLimit, tariffId } = object(request.transactionInfo)
  if (transactionLimit === undefined && tariffId === undefined && request.costDetails === undefined) return NO_TERMS
  return {
    limits: reportedLimits(transactionLimit),
    tariffId: text(tariffId)?.slice(0, MAX_TEXT),
    cost: reportedCost(request.costDetails),
  }
}

/** In any case: some stations write `MaxCost`. */
function reportedLimits(value: unknown): StationLimits | undefined {
  const said = new Map(Object.entries(object(value)).map(([name, limit]) => [name.toLowerCase(), limit]))
  const of = (name: string, factor: number): number | undefined => scaled(said.get(name), factor)
  const limits: StationLimits = {
    energyMilliWh: of('maxenergy', PER_WH),
    costMicros: of('maxcost', PER_UNIT),
    durationMs: of('maxtime', PER_SECOND),
    stateOfCharge: of('maxsoc', 1),
  }
  const reported = Object.entries(limits).filter(([, limit]) => limit !== undefined && limit >= 0)
  return reported.length > 0 ? Object.fromEntries(reported) : undefined
}

function reportedCost(value: unknown): ReportedStationCost | undefined {
  if (value === undefined || value === null) return undefined
  const { totalCost, failureToCalculate, failureReason } = object(value)
  const { currency, total } = object(totalCost)
  const { exclTax, inclTax } = object(total)
  return {
    currency: (text(currency) ?? '').slice(0, MAX_TEXT).toUpperCase(),
    netMicros: scaled(exclTax, PER_UNIT),
    grossMicros: scaled(inclTax, PER_UNIT),
    failure: failureToCalculate === true ? (text(failureReason) ?? '').slice(0, MAX_TEXT) : undefined,
  }
}

function scaled(value: unknown, factor: number): number | undefined {
  const product = Math.round((number(value) ?? Number.NaN) * factor)
  return Number.isSafeInteger(product) ? product : undefined
}
