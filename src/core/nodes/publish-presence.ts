/** Publishes which charge points are connected here: changes at once, missed ones in seconds (STORE-M3). */
import type { Clock } from '../../domain/ports/core.ts'
import type { OtherNodes, Presence } from '../../domain/ports/other-nodes.ts'
import type { HeldHere } from './node-messages.ts'

const TOGETHER_MS = 100
const LOOK_EVERY_MS = 5_000
const AT_ONCE = 1_000
const SKEW_STEP_MS = 5_000

interface PresencePublisher {
  changed(chargePointId: string): void
  /** Taking over made it count as connected; if no connection opens, that is corrected later. */
  admitted(chargePointId: string): void
  stop(): void
}

export function publishPresence(nodes: OtherNodes, here: HeldHere, clock: Clock): PresencePublisher {
  const published = new Map<string, Presence>()
  const admitted = new Set<string>()
  const due = new Set<string>()
  let isStopped = false
  let isUnderWay = false
  let cancelSoon: (() => void) | undefined
  let cancelLook: () => void

  const publishDue = async (): Promise<void> => {
    if (isUnderWay || isStopped) return
    isUnderWay = true
    try {
      while (due.size > 0 && !isStopped) {
        const ids = [...due].slice(0, AT_ONCE)
        for (const id of ids) due.delete(id)
        await publish(ids.flatMap((id) => here.presence(id) ?? []))
      }
    } finally {
      isUnderWay = false
    }
  }
  const publish = async (presences: readonly Presence[]): Promise<void> => {
    if (presences.length === 0) return
    const accepted = await nodes.publish(presences).catch(() => undefined)
    if (!accepted) return
    for (const presence of presences) {
      const { chargePointId, isConnected } = presence
      if (accepted.has(chargePointId)) admitted.delete(chargePointId)
      // Connected or connecting ones are being taken over; others may belong to another node.
      else if (isConnected || admitted.has(chargePointId)) continue
      published.set(chargePointId, presence)
    }
  }
  const soon = (): void => {
    cancelSoon ??= clock.after(TOGETHER_MS, () => {
      cancelSoon = undefined
      void publishDue()
    })
  }
  const look = (): void => {
    const held = new Set<string>()
    for (const presence of here.all()) {
      held.add(presence.chargePointId)
      if (isNews(published.get(presence.chargePointId), presence)) due.add(presence.chargePointId)
    }
    for (const id of published.keys()) if (!held.has(id)) published.delete(id)
    for (const id of admitted) if (!held.has(id)) admitted.delete(id)
    void publishDue()
    cancelLook = clock.after(LOOK_EVERY_MS, look)
  }
  cancelLook = clock.after(LOOK_EVERY_MS, look)

  return {
    changed(chargePointId) {
      published.delete(chargePointId)
      due.add(chargePointId)
      soon()
    },
    admitted(chargePointId) {
      published.delete(chargePointId)
      admitted.add(chargePointId)
    },
    stop() {
      isStopped = true
      cancelSoon?.()
      cancelLook()
    },
  }
}

function isNews(before: Presence | undefined, now: Presence): boolean {
  if (!before || before.isConnected !== now.isConnected) return true
  return Math.abs(before.clockSkewMs - now.clockSkewMs) > SKEW_STEP_MS
}
