/** Allocators that overlook something: what others do, and what ours did. The law must not hold with any of them. */
import type { GroupEvse } from '../../../../src/domain/limit-groups/evse.ts'
import type { Connection } from '../../../../src/domain/limit-groups/plan.ts'

export type Alter = (connection: Connection) => Connection

/** Which counts only stations that are connected: what others do. */
export const FORGETS_THE_SILENT: Alter = (connection) => ({
  ...connection,
  evses: connection.evses.filter(({ isOnline }) => isOnline),
})

/** Which counts with what was sent last, whether it was accepted or not. */
export const TRUSTS_WHAT_IT_SENT: Alter = (connection) => ({
  ...connection,
  evses: connection.evses.map((evse) => ({
    ...evse,
    ledger: { fallback: lastOnly(evse, 'fallback'), lease: lastOnly(evse, 'lease') },
  })),
})

/** Which counts with what we gave alone, whatever others set beside it. */
export const OVERLOOKS_OTHERS: Alter = (connection) => ({
  ...connection,
  evses: connection.evses.map((evse) => ({ ...evse, overdraw: undefined })),
})

/** Which cuts what charges for the building, and does not see that the building alone is above the fuse. */
export const TRUSTS_BUILDINGS: Alter = (connection) => ({
  ...connection,
  loads: new Map(
    [...connection.loads].map(([name, load]) => {
      const { limitAmps = 0 } = connection.groups.find((group) => group.name === name) ?? {}
      const [l1, l2, l3] = load.amps.map((amps) => Math.min(amps, limitAmps))
      return [name, { ...load, amps: [l1 ?? 0, l2 ?? 0, l3 ?? 0] }]
    }),
  ),
})

/** Which believes that a clock of which nothing is known is right, and that what a late message shows is its delay. */
export const TRUSTS_CLOCKS: Alter = (connection) => ({
  ...connection,
  evses: connection.evses.map((evse) => ({ ...evse, clockAtLeastMs: evse.clockAheadMs })),
})

function lastOnly({ ledger }: GroupEvse, place: 'fallback' | 'lease') {
  const { accepted, sent } = ledger[place]
  const last = sent.at(-1) ?? accepted
  return { sent: [], accepted: last }
}
