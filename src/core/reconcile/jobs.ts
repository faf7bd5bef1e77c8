/** Logs and updates are stored jobs (FIRMWARE-D1, FIRMWARE-U1); a due one is ordered for this connection alone. */

import type { FirmwareUpdate } from '../../domain/firmware/records.ts'
import { isUpdateDue } from '../../domain/firmware/rules.ts'
import type { LogRequest } from '../../domain/logs/records.ts'
import { isLogDue } from '../../domain/logs/rules.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { type FileJob, fileToken } from '../../secrets/file-token.ts'
import type { CoreContext } from '../context.ts'
import { OrderRefused } from '../operations/find-station.ts'
import { type CallOrder, orderCall } from '../outbound/order-call.ts'
import type { Subject, Task } from './subject.ts'

/** Sent on this connection or never; it may wait this long behind other calls. */
const TTL_MS = 3600_000

interface FileTask extends Task {
  readonly log?: LogRequest
  readonly update?: FirmwareUpdate
  readonly isProgress?: boolean
}

export const fileJobs: Subject<FileTask> = {
  name: 'logs and updates',
  records: ['log_requests', 'firmware_updates'],
  purposes: [],
  due(station, now) {
    const { connection, isHeld, awaitsFirstMessage, state, version, chargePoint } = station
    if (connection === undefined || isHeld || !state || !version) return []
    if (chargePoint.registrationStatus !== 'Accepted' || state.status.bootedAt === undefined) return []
    const isIdle = ![...state.transactions.values()].some(({ open }) => open)
    const isAsking = ({ requestId }: FirmwareUpdate): boolean =>
      state.records
        .all('outgoing_calls')
        .some(({ purpose }) => purpose.kind === 'firmwareProgress' && purpose.requestId === requestId)
    const logs = state.records.all('log_requests').filter((log) => isLogDue(log, now))
    const updates = state.records.all('firmware_updates').flatMap((update): readonly FileTask[] => {
      const key = `update ${update.requestId}`
      if (update.state === 'running' && update.isAsked) {
        return awaitsFirstMessage || isAsking(update) ? [] : [{ key, update, isProgress: true }]
      }
      return isUpdateDue(update, now) && (isIdle || !update.onlyIdle) ? [{ key, update }] : []
    })
    return [...logs.map((log) => ({ key: `log ${log.requestId}`, log })), ...updates]
  },
  order(context, station, task) {
    const order = station.version && orderOf(context, station.version, task)
    if (!order) return Promise.resolve()
    const expiresAt = context.clock.now() + TTL_MS
    return orderCall(context, { stationId: station.id, expiresAt, ...order }).catch((error: unknown) => {
      // It has changed or ended meanwhile.
      if (!(error instanceof OrderRefused)) throw error
    })
  },
  reconnected: ({ state }, now) =>
    state?.records.all('log_requests').some((log) => isLogDue(log, now)) === true ||
    state?.records.all('firmware_updates').some((update) => isUpdateDue(update, now)) === true,
}

function orderOf(
  { clock, settings }: CoreContext,
  version: OcppVersion,
  { log, update, isProgress }: FileTask,
): Pick<CallOrder, 'call' | 'purpose' | 'input'> | undefined {
  const { baseUrl, secretKey } = settings
  const addressOf = (job: FileJob): string => `${baseUrl}/files/${fileToken(secretKey, job)}`
  if (log) {
    const { requestId } = log
    return {
      call: version.getLog({ ...log, location: addressOf({ ...log, kind: 'log' }) }),
      purpose: { kind: 'log', requestId },
      input: { kind: 'logCallOrdered', requestId },
    }
  }
  if (!update) return undefined
  const { requestId, target } = update
  const { certificate, signature } = target
  if (isProgress) {
    const isSigned = certificate !== undefined && signature !== undefined
    return { call: version.askProgress({ isSigned }), purpose: { kind: 'firmwareProgress', requestId } }
  }
  const location = target.location ?? addressOf({ ...update, kind: 'firmware' })
  return {
    call: version.updateFirmware({ requestId, location, retrieveAt: clock.now(), certificate, signature }),
    purpose: { kind: 'firmware', requestId },
    input: { kind: 'firmwareCallOrdered', requestId },
  }
}
