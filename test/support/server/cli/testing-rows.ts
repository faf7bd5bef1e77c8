import type { Command } from '../../../../src/domain/ports/storage-records.ts'

export function commandRow(id: number, attributes: Partial<Command> = {}): Command {
  return {
    id,
    chargePointId: 'EV-1',
    direction: 'in',
    method: 'Heartbeat',
    messageId: String(id),
    protocol: 'ocpp1.6',
    status: 'success',
    request: '{}',
    response: '{}',
    ...attributes,
  }
}
