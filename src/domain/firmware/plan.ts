/** Which charge point a campaign takes in which wave (FIRMWARE-C1). */
import type { ChargePointView } from '../ports/storage.ts'
import type { Campaign, CampaignRow } from './records.ts'
import { waveEnds, waveOf } from './waves.ts'

/** @param found those that its selector means */
export function plannedRows(
  { id: campaignId, models, waves }: Pick<Campaign, 'id' | 'models' | 'waves'>,
  found: readonly ChargePointView[],
  online: ReadonlySet<string>,
  updatedAt: number,
): readonly CampaignRow[] {
  const fits = ({ status: { model } }: ChargePointView): boolean =>
    models === undefined || (model !== undefined && models.includes(model))
  // Who is there goes first: the first wave is to tell something.
  const place = ({ id }: ChargePointView): number => (online.has(id) ? 0 : 1)
  const chosen = found.filter(fits).sort((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1))
  const ends = waveEnds(waves, chosen.length)
  const planned = chosen.map(({ id: chargePointId }, at): CampaignRow => {
    const wave = waveOf(ends, at)
    return wave === 0
      ? { campaignId, chargePointId, wave, state: 'skipped', reason: 'in no wave', updatedAt }
      : { campaignId, chargePointId, wave, state: 'planned', updatedAt }
  })
  const others = found
    .filter((view) => !fits(view))
    .map(({ id: chargePointId }): CampaignRow => {
      return { campaignId, chargePointId, wave: 0, state: 'skipped', reason: 'other model', updatedAt }
    })
  return [...planned, ...others]
}
