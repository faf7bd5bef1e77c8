/** The messages of a station's display, and which of them it shows at one instant (2.0.1 O01 to O06). */
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { Outlet } from './connector.ts'

export const DISPLAY_FORMATS = ['ASCII', 'UTF8']
/** The most important one first. */
export const DISPLAY_PRIORITIES = ['AlwaysFront', 'InFront', 'NormalCycle']
export const MAX_MESSAGES = 20

export type DisplayMessages = Map<number, Payload>

type DisplayOutlet = Pick<Outlet, 'operative' | 'fault' | 'transaction'>

/** What is over is gone: its time has passed, or the charge that it was about. */
export function forgetOver(messages: DisplayMessages, outlets: readonly DisplayOutlet[], now: number): void {
  for (const [id, message] of messages) {
    if (isPast(message, now) || !isOfCharge(message, outlets)) messages.delete(id)
  }
}

export function isPast({ endDateTime }: Payload, now: number): boolean {
  return endDateTime !== undefined && Date.parse(String(endDateTime)) <= now
}

/** True also where it is about no charge. */
export function isOfCharge({ transactionId }: Payload, outlets: readonly DisplayOutlet[]): boolean {
  return transactionId === undefined || outlets.some(({ transaction }) => transaction?.transactionId === transactionId)
}

/** Those of the highest priority that there is, which take turns; each in its state and from its time on. */
export function shownNow(messages: DisplayMessages, outlets: readonly DisplayOutlet[], now: number): readonly string[] {
  const state = stateOf(outlets)
  const due = [...messages.values()].filter(
    (message) =>
      (message.state === undefined || message.state === state) &&
      Date.parse(String(message.startDateTime ?? isoTime(0))) <= now &&
      !isPast(message, now) &&
      isOfCharge(message, outlets),
  )
  const priority = DISPLAY_PRIORITIES.find((name) => due.some((message) => message.priority === name))
  return due
    .filter((message) => message.priority === priority)
    .map((message) => String((message.message as Payload).content))
}

function stateOf(outlets: readonly DisplayOutlet[]): 'Charging' | 'Faulted' | 'Idle' | 'Unavailable' {
  if (outlets.some(({ transaction }) => transaction)) return 'Charging'
  if (outlets.every(({ fault }) => fault)) return 'Faulted'
  return outlets.every(({ operative }) => !operative) ? 'Unavailable' : 'Idle'
}
