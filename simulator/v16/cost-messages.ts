/** Prices and costs on the display of a 1.6 station, by DataTransfer (OCA, California Pricing Requirements). */
import type { Payload } from '../../src/ocpp/payload.ts'
import { type CommandTarget, showCost } from '../commands/target.ts'

const VENDOR = 'org.openchargealliance.costmsg'

export function costMessage(target: CommandTarget, { vendorId, messageId, data }: Payload): Payload {
  if (vendorId !== VENDOR) return { status: 'UnknownVendorId' }
  if (messageId !== 'RunningCost' && messageId !== 'FinalCost' && messageId !== 'SetUserPrice')
    return { status: 'UnknownMessageId' }
  const content = read(data)
  if (!content) return { status: 'Rejected' }
  if (messageId === 'SetUserPrice') return { status: typeof content.priceText === 'string' ? 'Accepted' : 'Rejected' }
  const { transactionId, cost } = content
  if (typeof cost !== 'number' || transactionId === undefined) return { status: 'Rejected' }
  // The final cost comes when the charge has ended: there is nobody left to show it to but the display itself.
  const isKnown = showCost(target, String(transactionId), cost) || messageId === 'FinalCost'
  return { status: isKnown ? 'Accepted' : 'Rejected' }
}

function read(data: unknown): Payload | undefined {
  try {
    const content: unknown = JSON.parse(String(data))
    return typeof content === 'object' && content !== null ? (content as Payload) : undefined
  } catch {
    return undefined
  }
}
