import type { BulkWhat, CommandedOrder } from '../../domain/bulk-orders/records.ts'
import type { Protocol } from '../../domain/ports/core.ts'
import type { OutgoingCall } from '../payload.ts'
import { RESETS, usualCommand } from './usual-commands.ts'

export function isCommanded(what: BulkWhat): what is CommandedOrder {
  return ['reset', 'unlock', 'availability', 'command'].includes(what.kind)
}

/** @example bulkCall({ kind: 'reset', type: 'soft' }, 'ocpp2.0.1') // Reset of type OnIdle */
export function bulkCall(what: CommandedOrder, protocol: Protocol): OutgoingCall {
  switch (what.kind) {
    case 'reset': {
      const [soft = '', hard = ''] = RESETS[protocol]
      return usualCommand(protocol, 'reset', {}, what.type === 'soft' ? soft : hard)
    }
    case 'unlock':
      return usualCommand(protocol, 'unlock', what, '')
    case 'availability':
      return usualCommand(protocol, what.available ? 'operative' : 'inoperative', what, '')
    case 'command':
      return { method: what.method, request: what.request }
  }
}
