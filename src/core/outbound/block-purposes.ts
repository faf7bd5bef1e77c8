import { variableKey } from '../../domain/device-model/variable-names.ts'
import type { IntentAnswer } from '../../domain/intents/records.ts'
import type { ListAnswer } from '../../domain/local-lists/records.ts'
import type { ReservationCall } from '../../domain/reservations/records.ts'
import { isOpen } from '../../domain/reservations/rules.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { readListAnswer } from '../../ocpp/translate/blocks-on-wire.ts'
import { object, text } from '../../ocpp/translate/payload.ts'
import type { CallFor, Purposes } from '../context.ts'
import type { StationState } from '../memory/station.ts'
import { limitsOf } from '../reconcile/place-values.ts'
import type { CallOutcome } from './call-outcome.ts'

/** Codes of a station without this message (INTENT-A4). */
const UNSUPPORTED = new Set(['NotImplemented', 'NotSupported'])
/** Transient codes: another attempt may succeed. */
const PASSING = new Set(['InternalError', 'GenericError', 'SecurityError', 'RpcFrameworkError', 'ProtocolError'])

const NO_STATUS = 'no status'

type IntentPurpose = Extract<CallFor['purpose'], { readonly kind: 'intent' }>
type ReportPurpose = Extract<CallFor['purpose'], { readonly kind: 'report' }>

export const BLOCK_PURPOSES: Pick<
  Purposes,
  | 'intent'
  | 'intentReset'
  | 'report'
  | 'localList'
  | 'localListVersion'
  | 'localListLimits'
  | 'reservation'
  | 'cost'
  | 'customerInformation'
> = {
  intent: {
    priority: () => 'rest',
    // Made again on the next connection, from the desired state of then.
    waitsUntil: 'connection',
    isOver: ({ station: { state }, purpose: { intents } }) =>
      state !== undefined &&
      intents.every(({ kind, key, revision }) => {
        const intent = state.records.find('intents', { chargePointId: state.chargePointId, kind, key })
        return intent?.revision !== revision
      }),
    input: intentInput,
  },
  intentReset: {
    priority: () => 'rest',
    waitsUntil: 'connection',
    isOver: ({ station: { state } }) =>
      state !== undefined && !state.records.all('intents').some((intent) => intent.state === 'rebootRequired'),
  },
  report: {
    priority: () => 'rest',
    waitsUntil: 'expiry',
    isOver: ({ station: { state }, purpose: { reportId: id } }) =>
      state !== undefined &&
      state.records.find('reports', { chargePointId: state.chargePointId, id })?.state !== 'running',
    input: reportInput,
  },
  reservation: {
    priority: () => 'start',
    waitsUntil: 'connection',
    isOver: ({ station: { state }, purpose: { call } }) => state !== undefined && !isDesired(state, call),
    input: ({ purpose: { call } }, outcome) => ({ kind: 'reservationAnswered', call, ...reservationAnswer(outcome) }),
  },
  cost: {
    priority: () => 'rest',
    waitsUntil: 'connection',
    isOver: ({ station: { state }, purpose: { told: cost } }) =>
      !cost.isFinal && state !== undefined && state.transactions.get(cost.transactionId)?.open !== true,
    input: ({ version, purpose: { told } }, outcome) => ({
      kind: 'costAnswered',
      told,
      answer: costAnswer(version, outcome),
    }),
  },
  customerInformation: {
    priority: () => 'rest',
    waitsUntil: 'connection',
    input: ({ purpose: { requestId } }, outcome) => ({
      kind: 'customerInformationAnswered',
      requestId,
      ...customerAnswer(outcome),
    }),
  },
  localList: {
    priority: () => 'rest',
    waitsUntil: 'connection',
    input: ({ purpose: { sent } }, outcome) => ({ kind: 'localListAnswered', sent, ...listAnswer(outcome) }),
  },
  localListLimits: {
    priority: () => 'rest',
    waitsUntil: 'connection',
    // Stored at once, as the list depends on it.
    input({ call, version }, outcome) {
      const values = outcome.status === 'success' ? version.deviceModel.readValues(call, object(outcome.payload)) : []
      const limits = limitsOf(new Map(values.map((value) => [variableKey(value), value])))
      return { kind: 'valuesPlaced', at: 0, placed: [], rows: [], added: 0, isTruncated: false, limits }
    },
  },
  localListVersion: {
    priority: () => 'rest',
    waitsUntil: 'connection',
    input({ version }, outcome) {
      if (outcome.status !== 'success') return { kind: 'localListVersionReported', ...listAnswer(outcome) }
      const reported = version.localLists.readVersion(object(outcome.payload))
      if (reported === undefined)
        return { kind: 'localListVersionReported', answer: 'unsupported', reason: 'it has no list' }
      return { kind: 'localListVersionReported', version: reported, answer: 'accepted' }
    },
  },
}

function isDesired({ chargePointId, records }: StationState, { reservationId, step }: ReservationCall): boolean {
  const known = records.find('reservations', { chargePointId, reservationId })
  return known !== undefined && isOpen(known) && known.isCancelling === (step === 'cancel')
}

function reservationAnswer(outcome: CallOutcome) {
  switch (outcome.status) {
    case 'success': {
      const status = text(object(outcome.payload).status) ?? NO_STATUS
      return status.toLowerCase() === 'accepted'
        ? ({ answer: 'accepted' } as const)
        : ({ answer: 'refused', reason: status.slice(0, 50) } as const)
    }
    case 'error':
      return { answer: 'refused', reason: `${outcome.code} ${outcome.description}`.trim().slice(0, 500) } as const
    default:
      return { answer: 'failed', reason: 'no answer' } as const
  }
}

function costAnswer({ costs }: CallFor['version'], outcome: CallOutcome) {
  if (outcome.status === 'success') return costs.readAnswer(object(outcome.payload))
  if (outcome.status === 'error') return UNSUPPORTED.has(outcome.code) ? 'unsupported' : 'refused'
  return outcome.status === 'dropped' && outcome.unsent === true ? 'unsent' : 'refused'
}

function customerAnswer(outcome: CallOutcome) {
  if (outcome.status === 'dropped' && outcome.unsent === true) return { answer: 'unsent' } as const
  const { answer, reason } = reservationAnswer(outcome)
  return { answer, reason }
}

function listAnswer(outcome: CallOutcome): { readonly answer: ListAnswer; readonly reason?: string } {
  switch (outcome.status) {
    case 'success': {
      const payload = object(outcome.payload)
      const answer = readListAnswer(payload)
      return answer === 'accepted' ? { answer } : { answer, reason: (text(payload.status) ?? NO_STATUS).slice(0, 100) }
    }
    case 'error': {
      const reason = `${outcome.code} ${outcome.description}`.trim().slice(0, 500)
      return { answer: UNSUPPORTED.has(outcome.code) ? 'unsupported' : 'refused', reason }
    }
    case 'timeout':
      return { answer: 'refused', reason: 'no answer' }
    case 'dropped':
      return outcome.unsent === true
        ? { answer: 'unsent' }
        : { answer: 'refused', reason: 'the connection ended before the answer' }
  }
}

function intentInput(of: CallFor<IntentPurpose>, outcome: CallOutcome): Input {
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
  switch (outcome.status) {
    case 'success': {
      const payload = object(outcome.payload)
      if (step === 'set')
        return { kind: 'intentsAnswered', intents, answers: wire?.readAnswer(keys, call, payload) ?? {} }
      const values = version.deviceModel.readValues(call, payload)
      const found = wire?.readBack?.found(keys, call, payload) ?? {}
      return { kind: 'intentsRead', intents, found, reported: { batch: `answer:${commandId}`, values } }
    }
    case 'error': {
      const { code, description } = outcome
      const reason = `${code} ${description}`.trim().slice(0, 500)
      if (UNSUPPORTED.has(code)) {
        if (step === 'set') return everyOne({ outcome: 'unsupported', reason })
        return { kind: 'intentsRead', intents, found: Object.fromEntries(keys.map((key) => [key, 'unreadable'])) }
      }
      // One may spoil the others: next time each goes alone.
      if (step === 'set' && !PASSING.has(code) && intents.length === 1) return everyOne({ outcome: 'rejected', reason })
      return { kind: 'intentsFailed', step, intents, reason, isUnsent: false }
    }
    case 'timeout':
      return { kind: 'intentsFailed', step, intents, reason: 'no answer', isUnsent: false }
    case 'dropped': {
      const isUnsent = outcome.unsent === true
      const reason = isUnsent ? 'it was not sent' : 'the connection ended before the answer'
      return { kind: 'intentsFailed', step, intents, reason, isUnsent }
    }
  }
}

function reportInput(of: CallFor<ReportPurpose>, outcome: CallOutcome): Input {
  const { station, call, version, purpose, commandId } = of
  const { reportId: id } = purpose
  const limits = station.state?.records.find('device_models', { chargePointId: station.id })?.limits ?? {}
  const inTens = version.deviceModel.inTens(call, limits)
  const whole = inTens && { call, inTens }
  switch (outcome.status) {
    case 'success': {
      const answer = version.deviceModel.readReportAnswer(object(outcome.payload))
      if (answer.outcome !== 'values') return { kind: 'reportAnswered', id, answer, whole }
      return { kind: 'reportAnswered', id, answer: { ...answer, batch: `answer:${commandId}` } }
    }
    case 'error': {
      const reason = `${outcome.code} ${outcome.description}`.trim().slice(0, 500)
      return { kind: 'reportAnswered', id, answer: { outcome: 'rejected', reason }, whole }
    }
    default: {
      const isUnsent = outcome.status === 'dropped' && outcome.unsent === true
      const isDropped = outcome.status === 'dropped' && !isUnsent
      const reason = isUnsent ? 'it was not sent' : isDropped ? 'the connection ended' : 'no answer'
      return { kind: 'reportAnswered', id, answer: { outcome: 'failed', reason, isUnsent, isDropped }, whole }
    }
  }
}

export function reportedValues({ call, version, commandId }: CallFor, outcome: CallOutcome): Input | undefined {
  if (outcome.status !== 'success') return undefined
  const values = version.deviceModel.readValues(call, object(outcome.payload))
  return values.length === 0 ? undefined : { kind: 'valuesReported', batch: `answer:${commandId}`, values }
}
