import { allowedAmps, evseOf } from '../../../domain/charging/charges.ts'
import { drawOf } from '../../../domain/charging/draw.ts'
import { heldProfiles } from '../../../domain/charging/plan.ts'
import { isAbove } from '../../../domain/charging/profile.ts'
import { newestAcceptance } from '../../../domain/charging/rows.ts'
import { isNewlyShown, phasesOfDraw, shownDraw, wattShareOf } from '../../../domain/charging/watts.ts'
import { fewestPhases } from '../../../domain/charging/wiring.ts'
import type { Sample } from '../../../domain/ports/sessions.ts'
import type { Input } from '../../../domain/sessions/decision.ts'
import type { CoreContext } from '../../context.ts'
import type { Station } from '../../memory/station.ts'
import { decideSoon } from '../decide-now.ts'
import { viewOf } from './charging.ts'

/** Time for a car to follow. */
const REACTION_MS = 5_000
const NOISE_MS = 10_000
const OLD_MS = 3 * 60_000

export function watchDraw(context: CoreContext, station: Station, input: Input): void {
  const { state } = station
  if (!state || (input.kind !== 'sampled' && input.kind !== 'transactionEvent')) return
  if (input.samples.length === 0) return
  const transaction = input.transactionId === undefined ? undefined : state.transactions.get(input.transactionId)
  const evseId = evseOf(input) ?? (transaction && evseOf(transaction))
  if (evseId === undefined || evseId === 0) return
  const now = context.clock.now()
  const view = viewOf(station, context.settings, now)
  const { connectors, profiles, charges, voltage } = view
  const watts = wattShareOf(view, evseId)
  const isDirect = shownDraw(view, evseId)?.isDirect
  const ofNow = input.samples.filter((sample) => isOfNow(sample, station, now))
  const supply = { voltage, phases: fewestPhases(connectors, evseId), watts, isDirect }
  const draw = drawOf(ofNow, supply, station.draws.of(evseId), now)
  if (!draw) return
  station.draws.put(evseId, draw)
  const charge = charges.find((one) => one.evseId === evseId)
  if (charge && draw.phases !== undefined && isNewlyShown(view, evseId, draw, now)) {
    decideSoon(context, station.id, { kind: 'phasesSeen', evseId, phases: draw.phases, isDirect: draw.isDirect })
  }
  const phases = phasesOfDraw(view, evseId, draw)
  const allowed = allowedAmps({ profiles: heldProfiles(profiles), evseId, charge, now, voltage, phases })
  const isLate = now >= newestAcceptance(profiles, evseId, now) + REACTION_MS
  if (allowed !== undefined && draw.amps !== undefined && isAbove(draw.amps, allowed) && isLate) {
    decideSoon(context, station.id, { kind: 'currentSeen', evseId, draw })
  }
}

/** Offline or delayed measurements say nothing about the current draw. */
function isOfNow(
  { at: { occurredAt, original, repaired } }: Sample,
  { clock, openedAt }: Station,
  now: number,
): boolean {
  // Our clock may have been set back since.
  const since = Math.max(Math.min(openedAt, now), now - OLD_MS)
  return original === undefined || repaired === true || occurredAt - clock.skewMs >= since - NOISE_MS
}
