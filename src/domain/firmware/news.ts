import { isoTime } from '../iso-time.ts'
import type { EventData } from '../ports/events.ts'
import type { FirmwareUpdate } from './records.ts'

export const FIRMWARE_EVENT = 'firmware.updated'

export function showUpdate(update: FirmwareUpdate) {
  const { chargePointId, campaignId, requestId, target, state, status, reason, updatedAt } = update
  return {
    evseControllerId: chargePointId,
    campaignId,
    requestId,
    version: target.version,
    state,
    status,
    reason,
    updatedAt: isoTime(updatedAt),
  }
}

export function firmwareNews(update: FirmwareUpdate): EventData {
  const { chargePointId } = update
  return { type: FIRMWARE_EVENT, subject: chargePointId, orderKey: chargePointId, data: showUpdate(update) }
}
