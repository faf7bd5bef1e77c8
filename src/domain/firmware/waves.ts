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
