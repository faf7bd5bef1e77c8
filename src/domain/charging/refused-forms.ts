/** What a model is believed to refuse, by what its stations refused (CHARGING-S5). */

/** A station refused a form, and took another one of the same. */
export interface SeenRefusal {
  readonly chargePointId: string
  readonly at: number
}

/** Of a model, by form. */
export type RefusedForms = Readonly<Record<string, readonly SeenRefusal[]>>

/** Then it is tried again. */
const BELIEVED_MS = 86_400_000
/** A station that refuses something by chance does so again soon. */
const REPEATED_MS = 60_000
const MAX_SEEN = 4

export function withRefusals(
  before: RefusedForms,
  forms: readonly string[],
  chargePointId: string,
  now: number,
): RefusedForms {
  const seen = (form: string) => [...(before[form] ?? []), { chargePointId, at: now }].slice(-MAX_SEEN)
  return { ...before, ...Object.fromEntries(forms.map((form) => [form, seen(form)])) }
}

/** One refusal may be chance: another station, or the same one later, must say so, too. */
export function believedRefusals(refused: RefusedForms, now: number): readonly string[] {
  return Object.entries(refused).flatMap(([form, seen]) => {
    const recent = seen.filter(({ at }) => Math.abs(now - at) < BELIEVED_MS)
    const [first] = recent
    const isSaidAgain = recent.some(
      ({ chargePointId, at }) => chargePointId !== first?.chargePointId || at - first.at >= REPEATED_MS,
    )
    return isSaidAgain ? [form] : []
  })
}
