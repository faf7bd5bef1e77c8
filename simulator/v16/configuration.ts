import type { Effect, EffectName } from '../commands/setting-effects.ts'
import { type ValueRules, valueFault } from '../model/value-rules.ts'
import { AnswerError } from '../wire/frames.ts'

/**
 * A configuration key of a 1.6 station, its value as text.
 *
 * @example { key: 'HeartbeatInterval', value: '300' }
 */
export interface KeyDeclaration extends Partial<ValueRules> {
  readonly key: string
  readonly value: string
  /** What it is now, where the station does not keep it as a setting. */
  readonly live?: () => string
  readonly readonly?: true
  /** Never reported. */
  readonly secret?: true
  /** A new value counts after the next boot. */
  readonly needsReboot?: true
  readonly effect?: EffectName
}

/** A declaration takes the place of an earlier one of the same name. */
export function createConfiguration(
  declarations: readonly KeyDeclaration[],
  effects: Readonly<Partial<Record<EffectName, Effect>>>,
) {
  const keys = new Map<string, { readonly declared: KeyDeclaration; value: string; waiting?: string }>()
  for (const declared of declarations) keys.set(declared.key.toLowerCase(), { declared, value: declared.value })
  const most = () => Number(keys.get('getconfigurationmaxkeys')?.value ?? Number.POSITIVE_INFINITY)
  return {
    /** Keys without their secrets; unknown names apart. An empty list asks for all. */
    read(desired: readonly string[]) {
      if (desired.length > most())
        throw new AnswerError('OccurenceConstraintViolation', `this station takes at most ${most()} keys at a time`)
      const names = desired.length > 0 ? desired : [...keys.values()].map(({ declared }) => declared.key)
      const known = names.flatMap((name) => {
        const key = keys.get(name.toLowerCase())
        if (!key) return []
        const { declared, value } = key
        const reported = declared.live?.() ?? value
        return [
          { key: declared.key, readonly: declared.readonly === true, ...(!declared.secret && { value: reported }) },
        ]
      })
      return { configurationKey: known, unknownKey: names.filter((name) => !keys.has(name.toLowerCase())) }
    },
    set(name: string, value: string): 'Accepted' | 'Rejected' | 'NotSupported' | 'RebootRequired' {
      const key = keys.get(name.toLowerCase())
      if (!key) return 'NotSupported'
      const { declared } = key
      const effect = declared.effect && effects[declared.effect]
      if (declared.readonly || valueFault(value, { dataType: 'string', ...declared })) return 'Rejected'
      if (effect?.allows?.(value) === false) return 'Rejected'
      if (declared.needsReboot) {
        key.waiting = value
        return 'RebootRequired'
      }
      key.value = value
      effect?.apply(value)
      return 'Accepted'
    },
    /** Applies settings that need a reboot. */
    booted(): void {
      for (const key of keys.values()) {
        if (key.waiting === undefined) continue
        key.value = key.waiting
        delete key.waiting
        if (key.declared.effect) effects[key.declared.effect]?.apply(key.value)
      }
    },
  }
}
