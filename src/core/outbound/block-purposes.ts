import { variableKey } from '../../domain/device-model/variable-names.ts'
import type { IntentAnswer } from '../../domain/intents/records.ts'
import type { ListAnswer } from '../../domain/local-lists/records.ts'
import type { ReservationCall } from '../../domain/reservations/records.ts'
import { isOpen } from '../../domain/reservations/rules.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { readListAnswer } from '../../ocpp/translate/blocks-on-wire.ts'
import { object, text } from '../../ocpp/translate/payload.ts'
import type { CallFor, PurposeOf, Purposes } from '../context.ts'
import type { StationState } from '../memory/station.ts'
import { limitsOf } from '../reconcile/place-values.ts'
import { type CallOutcome, failureOf, isUnsent, isUnsupported } from './call-outcome.ts'

/** Transient codes: another attempt may succeed. */
const PASSING = new Set(['InternalError', 'GenericError', 'SecurityError', 'RpcFrameworkError', 'ProtocolError'])

const NO_STATUS = 'no status'

export const BLOCK_PURPOSES = {
  intent: {
    isOver: ({ purpose: { intents } }, { chargePointId, records }) =>
      intents.every(
        ({ kind, key, revision }) => records.find('intents', { chargePointId, kind, key })?.revision !== revision,
      ),
    input: intentInput,
  },
  intentReset: {
    isOver: (_, { records }) => !records.all('intents').some(({ state }) => state === 'rebootRequired'),
  },
  report: {
    waitsUntil: 'expiry',
    isOver: ({ purpose: { reportId: id } }, { chargePointId, records }) =>
      records.find('reports', { chargePointId, id })?.state !== 'running',
    input: reportInput,
  },
  reservation: {
    priority: () => 'start',
    isOver: ({ purpose: { call } }, state) => !isDesired(state, call),
    input: ({ purpose: { call } }, outcome) => ({ kind: 'reservationAnswered', call, ...reservationAnswer(outcome) }),
  },
  cost: {
    isOver: ({ purpose: { told: cost } }, { transactions }) =>
      !cost.isFinal && transactions.get(cost.transactionId)?.open !== true,
    input: ({ version, purpose: { told } }, outcome) => ({
      kind: 'costAnswered',
      told,
      answer: costAnswer(version, outcome),
    }),
  },
  customerInformation: {
    input: ({ purpose: { requestId } }, outcome) => ({
      kind: 'customerInformationAnswered',
      requestId,
      ...(isUnsent(outcome) ? { answer: 'unsent' } : reservationAnswer(outcome)),
    }),
  },
  localList: {
    input: ({ purpose: { sent } }, outcome) => ({ kind: 'localListAnswered', sent, ...listAnswer(outcome) }),
  },
  localListLimits: {
    // Stored at once, as the list depends on it.
    input({ call, version }, outcome) {
      const values = outcome.status === 'success' ? version.deviceModel.readValues(call, object(outcome.payload)) : []
      const limits = limitsOf(new Map(values.map((value) => [variableKey(value), value])))
      return { kind: 'valuesPlaced', at: 0, placed: [], rows: [], added: 0, isTruncated: false, limits }
    },
  },
  localListVersion: {
    input({ version }, outcome) {
      if (outcome.status !== 'success') return { kind: 'localListVersionReported', ...listAnswer(outcome) }
      const reported = version.localLists.readVersion(object(outcome.payload))
      if (reported === undefined)
        return { kind: 'localListVersionReported', answer: 'unsupported', reason: 'it has no list' }
      return { kind: 'localListVersionReported', version: reported, answer: 'accepted' }
    },
  },
} satisfies Partial<Purposes>

function isDesired({ chargePointId, records }: StationState, { reservationId, step }: ReservationCall): boolean {
  const known = records.find('reservations', { chargePointId, reservationId })
  return known !== undefined && isOpen(known) && known.isCancelling === (step === 'cancel')
}

function reservationAnswer(outcome: CallOutcome) {
  if (outcome.status === 'error') return { answer: 'refused', reason: failureOf(outcome) } as const
  if (outcome.status !== 'success') return { answer: 'failed', reason: 'no answer' } as const
  const status = text(object(outcome.payload).status) ?? NO_STATUS
  return status.toLowerCase() === 'accepted'
    ? ({ answer: 'accepted' } as const)
    : ({ answer: 'refused', reason: status.slice(0, 50) } as const)
}

function costAnswer({ costs }: CallFor['version'], outcome: CallOutcome) {
  if (outcome.status === 'success') return costs.readAnswer(object(outcome.payload))
  if (isUnsupported(outcome)) return 'unsupported'
  return isUnsent(outcome) ? 'unsent' : 'refused'
}

function listAnswer(outcome: CallOutcome): { readonly answer: ListAnswer; readonly reason?: string } {
  if (isUnsent(outcome)) return { answer: 'unsent' }
  if (outcome.status !== 'success') {
    return { answer: isUnsupported(outcome) ? 'unsupported' : 'refused', reason: failureOf(outcome) }
  }
  const payload = object(outcome.payload)
  const answer = readListAnswer(payload)
  return answer === 'accepted' ? { answer } : { answer, reason: (text(payload.status) ?? NO_STATUS).slice(0, 100) }
}

function intentInput(of: CallFor<PurposeOf<'intent'>>, outcome: CallOutcome): Input {
  const { call, version, purpose, commandId } = of
  const { step, intents } = purpose
  const [first] = intents
  const wire = first && version.intents[first.kind]
  const keys = intents.map(({ key }) => key)
  const everyOne = (answer: IntentAnswer): Input => ({
    kind: 'intentsAnswered',
    intents,
    answers: Object.fromEntries(keys.map((key) => [key, answer])),
  })
  if (outcome.status === 'success') {
    const payload = object(outcome.payload)
    if (step === 'set')
      return { kind: 'intentsAnswered', intents, answers: wire?.readAnswer(keys, call, payload) ?? {} }
    const values = version.deviceModel.readValues(call, payload)
    const found = wire?.readBack?.found(keys, call, payload) ?? {}
    return { kind: 'intentsRead', intents, found, reported: { batch: `answer:${commandId}`, values } }
  }
  const reason = failureOf(outcome)
  if (isUnsupported(outcome)) {
    if (step === 'set') return everyOne({ outcome: 'unsupported', reason })
    return { kind: 'intentsRead', intents, found: Object.fromEntries(keys.map((key) => [key, 'unreadable'])) }
  }
  const isFinal = outcome.status === 'error' && !PASSING.has(outcome.code)
  // One may spoil the others: next time each goes alone.
  if (step === 'set' && isFinal && intents.length === 1) return everyOne({ outcome: 'rejected', reason })
  return { kind: 'intentsFailed', step, intents, reason, isUnsent: isUnsent(outcome) }
}

function reportInput(of: CallFor<PurposeOf<'report'>>, outcome: CallOutcome): Input {
  const { station, call, version, purpose, commandId } = of
  const { reportId: id } = purpose
  const limits = station.state?.records.find('device_models', { chargePointId: station.id })?.limits ?? {}
  const inTens = version.deviceModel.inTens(call, limits)
  const whole = inTens && { call, inTens }
  if (outcome.status === 'success') {
    const answer = version.deviceModel.readReportAnswer(object(outcome.payload))
    if (answer.outcome !== 'values') return { kind: 'reportAnswered', id, answer, whole }
    return { kind: 'reportAnswered', id, answer: { ...answer, batch: `answer:${commandId}` } }
  }
  const reason = failureOf(outcome)
  if (outcome.status === 'error') return { kind: 'reportAnswered', id, answer: { outcome: 'rejected', reason }, whole }
  const isDropped = outcome.status === 'dropped' && !isUnsent(outcome)
  const answer = { outcome: 'failed', reason, isUnsent: isUnsent(outcome), isDropped } as const
  return { kind: 'reportAnswered', id, answer, whole }
}

export function reportedValues({ call, version, commandId }: CallFor, outcome: CallOutcome): Input | undefined {
  if (outcome.status !== 'success') return undefined
  const values = version.deviceModel.readValues(call, object(outcome.payload))
  return values.length === 0 ? undefined : { kind: 'valuesReported', batch: `answer:${commandId}`, values }
}
