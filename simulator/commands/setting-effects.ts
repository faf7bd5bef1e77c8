import type { SecurityProfile } from '../security/network-access.ts'
import type { CommandTarget } from './target.ts'

export interface Effect {
  /** Whether the station can do as the value says, apart from its type; absent: always. */
  readonly allows?: (value: string) => boolean
  readonly apply: (value: string) => void
}

export type EffectName = keyof ReturnType<typeof settingEffects>

type Rules = CommandTarget['rules']

export function settingEffects(target: CommandTarget) {
  const { rules, network, certificates } = target
  const isTrue = (value: string) => value.toLowerCase() === 'true'
  const rule = <Name extends keyof Rules>(name: Name, read: (value: string) => Rules[Name]): Effect => ({
    apply(value) {
      rules[name] = read(value)
    },
  })
  const cards = (name: 'listEnabled' | 'cacheEnabled' | 'knownOffline' | 'unknownOffline'): Effect => ({
    apply: (value) => target.cards.change({ [name]: isTrue(value) }),
  })
  const list = (value: string) =>
    value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
  return {
    sampledMeasurands: rule('sampledMeasurands', list),
    startedMeasurands: rule('startedMeasurands', list),
    alignedMeasurands: rule('alignedMeasurands', list),
    endedMeasurands: {
      apply(value) {
        rules.endedMeasurands = { ...rules.endedMeasurands, sampled: list(value) }
      },
    },
    alignedEndedMeasurands: {
      apply(value) {
        rules.endedMeasurands = { ...rules.endedMeasurands, aligned: list(value) }
      },
    },
    endedInterval: rule('endedIntervalSeconds', Number),
    alignedInterval: { apply: (value) => target.charging.useAlignedInterval(Number(value)) },
    offlineThreshold: rule('offlineThresholdSeconds', Number),
    localPreAuthorise: rule('localPreAuthorise', isTrue),
    stopOnDisconnect: rule('stopOnDisconnect', isTrue),
    pingInterval: { apply: (value) => target.usePingInterval(Number(value)) },
    heartbeatInterval: { apply: (value) => target.useHeartbeatInterval(Number(value)) },
    sampleInterval: { apply: (value) => target.useSampleInterval(Number(value)) },
    messageAttempts: { apply: (value) => target.useMessageRetries({ attempts: Number(value) }) },
    messageRetryInterval: { apply: (value) => target.useMessageRetries({ intervalSeconds: Number(value) }) },
    listEnabled: cards('listEnabled'),
    cacheEnabled: cards('cacheEnabled'),
    knownOffline: cards('knownOffline'),
    unknownOffline: cards('unknownOffline'),
    password: { apply: (value) => target.usePassword(value) },
    organization: rule('organization', (value) => value),
    stopOnInvalidId: rule('stopOnInvalidId', isTrue),
    authoriseRemoteStart: rule('authoriseRemoteStart', isTrue),
    connectionTimeout: rule('connectionTimeoutSeconds', Number),
    signReadings: rule('signsReadings', isTrue),
    publicKeyWithReadings: rule('publicKeyWithReadings', (value) => value as Rules['publicKeyWithReadings']),
    /** A05: never a lower one, and none that the station has no certificate for. */
    securityProfile: {
      allows: (value) =>
        Number(value) > network.present.securityProfile &&
        Number(value) <= 3 &&
        (value !== '3' || certificates.own !== undefined),
      apply(value) {
        network.raise(Number(value) as SecurityProfile)
        target.afterAnswer(() => target.reconnect())
      },
    },
    /** B09: every slot that is named has something in it, and what it needs is there. */
    networkPriority: {
      allows(value) {
        const slots = value.split(',').map((slot) => network.slots.get(Number(slot)))
        return slots.every((slot) => slot && (slot.securityProfile !== 3 || certificates.own !== undefined))
      },
      apply: (value) => void network.prefer(value.split(',').map(Number)),
    },
  } satisfies Record<string, Effect>
}
