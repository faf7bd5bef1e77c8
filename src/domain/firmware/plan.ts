/** Which charge point a campaign takes in which wave (FIRMWARE-C1). */
import type { ChargePointView } from '../ports/storage-records.ts'
import type { Campaign, CampaignRow } from './records.ts'

/** FIRMWARE-C8: the version that a campaign brings runs there already. */
export const RUNS_IT = 'has this version'

export function plannedRows(
  { id: campaignId, models, waves, target }: Pick<Campaign, 'id' | 'models' | 'waves' | 'target'>,
  found: readonly ChargePointView[],
  online: ReadonlySet<string>,
  updatedAt: number,
): readonly CampaignRow[] {
  const against = ({ status: { model, firmwareVersion } }: ChargePointView): string | undefined => {
    if (models !== undefined && (model === undefined || !models.includes(model))) return 'other model'
    return firmwareVersion?.trim() === target.version.trim() ? RUNS_IT : undefined
  }
  // Stations that are online go first: the first wave is to show something.
  const place = ({ id }: ChargePointView): number => (online.has(id) ? 0 : 1)
  const chosen = found
    .filter((view) => against(view) === undefined)
    .sort((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1))
  const ends = waveEnds(waves, chosen.length)
  const planned = chosen.map(({ id: chargePointId }, at): CampaignRow => {
    const wave = waveOf(ends, at)
    return wave === 0
      ? { campaignId, chargePointId, wave, state: 'skipped', reason: 'in no wave', updatedAt }
      : { campaignId, chargePointId, wave, state: 'planned', updatedAt }
  })
  const others = found.flatMap((view): readonly CampaignRow[] => {
    const reason = against(view)
    return reason === undefined
      ? []
      : [{ campaignId, chargePointId: view.id, wave: 0, state: 'skipped', reason, updatedAt }]
  })
  return [...planned, ...others]
}

/** Why a campaign without a charge point to update ends at once; undefined where it has one. */
export function hasNoRecipient(rows: readonly CampaignRow[]): string | undefined {
  if (rows.some(({ state }) => state === 'planned')) return undefined
  if (rows.length === 0) return 'The selector means no charge point.'
  const reasons = new Map<string, number>()
  for (const { reason = 'skipped' } of rows) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  const counts = [...reasons].map(([reason, count]) => `${reason}: ${count}`)
  return `No charge point is updated (${counts.join(', ')}).`
}

/** `"5"`: five of them; `"5%"`: one in twenty. Both count from the first one, together with the waves before. */
export const WAVE = /^(?:[1-9]\d{0,5}|(?:100|[1-9]\d?)(?:\.\d{1,2})?%)$/

/** How many of `total` each wave reaches up to; never less than the one before. */
export function waveEnds(waves: readonly string[], total: number): readonly number[] {
  let reached = 0
  return waves.map((wave) => {
    const desired = wave.endsWith('%') ? Math.ceil((Number(wave.slice(0, -1)) * total) / 100) : Number(wave)
    reached = Math.max(reached, Math.min(total, desired))
    return reached
  })
}

/** The wave of the charge point at this place, from 1; 0: in none. */
export function waveOf(ends: readonly number[], place: number): number {
  return ends.findIndex((end) => place < end) + 1
}
