import type { Payload } from '../../src/ocpp/payload.ts'
import type { LocalEntry } from '../model/local-list.ts'
import type { CommandTarget } from './target.ts'

/** `request` is the whole message, which may be too long for the station. */
export function updateList(
  target: CommandTarget,
  request: Payload,
  version: number,
  entries: readonly LocalEntry[],
): Payload {
  const { cards, protocol } = target
  const is16 = protocol === 'ocpp1.6'
  if (!cards.rules.listEnabled)
    return is16 ? { status: 'NotSupported' } : { status: 'Failed', statusInfo: { reasonCode: 'NotEnabled' } }
  const isFull = request.updateType === 'Full'
  const outcome = cards.list.update({ isFull, version, entries, bytes: Buffer.byteLength(JSON.stringify(request)) })
  if (outcome === 'Accepted' || outcome === 'VersionMismatch') return { status: outcome }
  return { status: 'Failed', ...(!is16 && { statusInfo: { reasonCode: outcome } }) }
}

/** 1.6 §5.10: -1 where there is no list at all. */
export function listVersion({ cards, protocol }: CommandTarget): number {
  if (!cards.rules.listEnabled) return protocol === 'ocpp1.6' ? -1 : 0
  return cards.list.version
}
