/**
 * Logs and updates wait as records of their own until their charge point is there (FIRMWARE-D1, FIRMWARE-U1). Whenever
 * one may have become due its call is ordered, for this connection alone: what does not leave on it waits again.
 */

import { isUpdateDue } from '../../domain/firmware/rules.ts'
import { isLogDue } from '../../domain/logs/rules.ts'
import type { Purpose } from '../../domain/outgoing-calls/records.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import type { OutgoingCall } from '../../ocpp/version.ts'
import { type FileJob, fileToken } from '../../secrets/file-token.ts'
import type { CoreContext } from '../context.ts'
import type { Station, StationState } from '../memory/station.ts'
import { OrderRefused } from '../operations/core-refusals.ts'
import { orderCall } from '../outbound/order-call.ts'

/** It is sent on this connection or not at all; so long it may stand behind other calls. */
const TTL_MS = 3600_000

interface DueJob {
  readonly call: OutgoingCall
  readonly purpose: Purpose
  readonly input?: Input
}

/** Whether anything waits that could be sent as soon as the charge point has spoken. */
export function hasJobs({ state }: Station, now: number): boolean {
  return (
    state?.records.all('log_requests').some((log) => isLogDue(log, now)) === true ||
    state?.records.all('firmware_updates').some((update) => isUpdateDue(update, now)) === true
  )
}

export function reconcileJobs(context: CoreContext, station: Station): void {
  const { connection, held, state, chargePoint } = station
  if (connection === undefined || connection === held || !state) return
  if (chargePoint.registrationStatus !== 'Accepted' || state.status.bootedAt === undefined) return
  for (const { call, purpose, input } of dueJobs(context, station, state)) {
    orderCall(context, {
      stationId: station.id,
      call,
      purpose,
      expiresAt: context.clock.now() + TTL_MS,
      ...(input && { input }),
    }).catch((error: Error) => {
      // Somebody was faster, or it is over by now.
      if (error instanceof OrderRefused) return
      context.log.warn({ chargePoint: station.id, error: error.message }, 'a job could not be sent')
    })
  }
}

function dueJobs(context: CoreContext, { version }: Station, state: StationState): readonly DueJob[] {
  if (!version) return []
  const now = context.clock.now()
  const { baseUrl, secretKey } = context.settings
  const addressOf = (job: FileJob): string => `${baseUrl}/files/${fileToken(secretKey, job)}`
  const isIdle = ![...state.transactions.values()].some(({ open }) => open)
  const logs = state.records
    .all('log_requests')
    .filter((log) => isLogDue(log, now))
    .map((log): DueJob => {
      const { requestId } = log
      return {
        call: version.getLog({ ...log, location: addressOf({ ...log, kind: 'log' }) }),
        purpose: { kind: 'log', requestId },
        input: { kind: 'logCallOrdered', requestId },
      }
    })
  const updates = state.records.all('firmware_updates').flatMap((update): readonly DueJob[] => {
    const { requestId, target, isAsked, onlyIdle } = update
    const { certificate, signature } = target
    if (update.state === 'running' && isAsked) {
      const isSigned = certificate !== undefined && signature !== undefined
      const isUnderWay = state.records
        .all('outgoing_calls')
        .some(({ purpose }) => purpose.kind === 'firmwareProgress' && purpose.requestId === requestId)
      if (isUnderWay) return []
      return [{ call: version.askProgress({ isSigned }), purpose: { kind: 'firmwareProgress', requestId } }]
    }
    if (!isUpdateDue(update, now) || (onlyIdle && !isIdle)) return []
    const location = target.location ?? addressOf({ ...update, kind: 'firmware' })
    return [
      {
        call: version.updateFirmware({ requestId, location, retrieveAt: now, certificate, signature }),
        purpose: { kind: 'firmware', requestId },
        input: { kind: 'firmwareCallOrdered', requestId },
      },
    ]
  })
  return [...logs, ...updates]
}
