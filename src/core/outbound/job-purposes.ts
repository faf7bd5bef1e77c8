import type { JobAnswer } from '../../domain/logs/records.ts'
import type { Payload } from '../../ocpp/payload.ts'
import { object, text } from '../../ocpp/translate/payload.ts'
import type { CallFor, Purposes } from '../context.ts'
import type { CallOutcome } from './call-outcome.ts'

export const JOB_PURPOSES: Pick<Purposes, 'log' | 'firmware' | 'firmwareProgress'> = {
  log: {
    priority: () => 'rest',
    waitsUntil: 'connection',
    isOver: ({ station: { id, state }, purpose: { requestId } }) =>
      state !== undefined && state.records.find('log_requests', { chargePointId: id, requestId }) === undefined,
    input: ({ call, purpose: { requestId } }, outcome) => ({
      kind: 'logAnswered',
      requestId,
      answer: jobAnswer(call.method, outcome),
    }),
  },
  firmware: {
    priority: () => 'rest',
    waitsUntil: 'connection',
    // FIRMWARE-U6: cancelled while it waited.
    isOver: ({ station: { id, state }, purpose: { requestId } }) => {
      const update = state?.records.find('firmware_updates', { chargePointId: id, requestId })
      return state !== undefined && (update === undefined || update.recalled !== undefined)
    },
    input: ({ call, purpose: { requestId } }, outcome) => ({
      kind: 'firmwareAnswered',
      requestId,
      answer: jobAnswer(call.method, outcome),
    }),
  },
  firmwareProgress: {
    priority: () => 'rest',
    waitsUntil: 'connection',
    isOver: ({ station: { id, state }, purpose: { requestId } }) =>
      state?.records.find('firmware_updates', { chargePointId: id, requestId })?.isAsked === false,
  },
}

function jobAnswer(method: CallFor['call']['method'], outcome: CallOutcome): JobAnswer {
  switch (outcome.status) {
    case 'success':
      return readJobAnswer(method, object(outcome.payload))
    case 'error':
      return { outcome: 'rejected', status: outcome.code, reason: refusedWith(method, outcome) }
    case 'timeout':
      return { outcome: 'silent' }
    case 'dropped':
      return { outcome: outcome.unsent ? 'unsent' : 'silent' }
  }
}

function refusedWith(
  method: string,
  { code, description }: Extract<CallOutcome, { readonly status: 'error' }>,
): string {
  if (code === 'NotImplemented' || code === 'NotSupported') return `The charge point does not support ${method}.`
  const said = description.slice(0, 200)
  return `The charge point answered ${method} with ${code.slice(0, 50)}${said && `: ${said}`}.`
}

interface ReadAnswer {
  readonly outcome: 'accepted' | 'rejected'
  readonly status?: string
  readonly reason?: string
}

/** `AcceptedCanceled` also ends an older order. 1.6: UpdateFirmware has no status, GetDiagnostics may name a file. */
function readJobAnswer(method: string, response: Payload): ReadAnswer {
  const status = text(response.status)
  if (status === undefined) {
    return method !== 'GetDiagnostics' || text(response.fileName) !== undefined
      ? { outcome: 'accepted' }
      : { outcome: 'rejected', reason: 'The charge point has nothing to upload.' }
  }
  const said = status.toLowerCase()
  if (said === 'accepted' || said === 'acceptedcanceled') return { outcome: 'accepted', status }
  return { outcome: 'rejected', status, reason: `The charge point answered ${status.slice(0, 50)}.` }
}
