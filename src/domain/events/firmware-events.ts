import { event, timeSchema } from '../event-declaration.ts'
import type { FirmwareUpdate } from '../firmware/records.ts'
import { isoTime } from '../iso-time.ts'
import type { EventData } from '../ports/storage-webhooks.ts'

const FIRMWARE_EVENT = 'firmware.updated'

function showUpdate(update: FirmwareUpdate) {
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

export const firmwareUpdated = event(FIRMWARE_EVENT, {
  about: 'chargePoint',
  subject: (update: FirmwareUpdate) => update.chargePointId,
  coalesceKey: undefined,
  data: (z) =>
    z
      .strictObject({
        evseControllerId: z.string(),
        campaignId: z.string(),
        requestId: z.int().openapi({ description: 'As the charge point repeats it.' }),
        version: z.string().openapi({ description: 'Of the firmware that it is to run.' }),
        state: z.enum(['waiting', 'running', 'succeeded', 'failed', 'rejected']),
        status: z.string().optional().openapi({ description: 'As the charge point spelled it.' }),
        reason: z.string().optional(),
        updatedAt: timeSchema(z),
      })
      .openapi('FirmwareUpdate'),
  represent: showUpdate,
  sample: ({ id, accountId, chargePointId, now }): FirmwareUpdate => ({
    chargePointId,
    requestId: 1,
    accountId,
    campaignId: id,
    wave: 1,
    target: { version: '1.0.0' },
    state: 'running',
    status: 'Downloading',
    statuses: [],
    onlyIdle: false,
    isOrdered: false,
    attempts: 1,
    silenceMs: 0,
    isAsked: false,
    tokenHash: '',
    createdAt: now,
    updatedAt: now,
  }),
  documentation: {
    component: 'FirmwareEvent',
    summary: 'A firmware update went on',
    description:
      'Sent when a campaign orders an update, with every status that the charge point reports, and at its end.',
  },
})

export const FIRMWARE_EVENTS = [firmwareUpdated] as const
