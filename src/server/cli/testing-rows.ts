import type { Command } from '../../domain/ports/storage.ts'

/** A message of the log for tests; what is not given is the plainest Heartbeat. */
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
