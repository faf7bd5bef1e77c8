/** The rules that nearly every account needs (ALERT-A7). */
import type { AlertKind, AlertRule } from './records.ts'

export interface SuggestedRule {
  readonly kind: AlertKind
  readonly afterSeconds: number
}

const SUGGESTED: readonly SuggestedRule[] = [
  { kind: 'offline', afterSeconds: 15 * 60 },
  { kind: 'faulted', afterSeconds: 5 * 60 },
  { kind: 'sessionWithoutEnergy', afterSeconds: 15 * 60 },
  { kind: 'webhookFailing', afterSeconds: 15 * 60 },
  { kind: 'disk', afterSeconds: 0 },
]

export function suggestedBeside(rules: readonly Pick<AlertRule, 'kind'>[]): readonly SuggestedRule[] {
  return SUGGESTED.filter(({ kind }) => !rules.some((rule) => rule.kind === kind))
}
