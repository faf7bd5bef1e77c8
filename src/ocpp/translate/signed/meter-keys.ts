/** Public keys of meters (SIGNED-K3): `MeterPublicKey1`, `MeterPublicKey[2]` (1.6); FiscalMetering.PublicKey (2.0.1) */

import type { PublicKeyText } from '../../../domain/ports/sessions.ts'
import type { MeterInput } from '../../../domain/signed-values/records.ts'
import { list, object, placeNumber, text } from '../payload.ts'
import { publicKeyText } from './signed-data.ts'

/** A station has a handful of meters. */
const MAX_KEYS = 100

/** 0 is the station's own meter. */
interface Reported {
  readonly place: number
  readonly publicKey: PublicKeyText
}

/** The answer to GetConfiguration, or any `configurationKey`. */
export function configuredMeterKeys(configurationKey: unknown): MeterInput | undefined {
  return keysSeen(
    list(configurationKey).map((entry) => {
      const { key, value } = object(entry)
      const named = /^MeterPublicKey\s*(?:\[?(\d{1,3})\]?)?$/i.exec(text(key)?.slice(0, 50) ?? '')
      return named ? { place: Number(named[1] ?? 0), value } : undefined
    }),
  )
}

/** Entries of a report or of an answer to GetVariables. */
export function reportedMeterKeys(entries: unknown): MeterInput | undefined {
  return keysSeen(
    list(entries).map((entry) => {
      const { component, variable, attributeValue, variableAttribute, attributeType } = object(entry)
      const { name, evse } = object(component)
      if (!isNamed(name, 'FiscalMetering') || !isNamed(object(variable).name, 'PublicKey')) return undefined
      if (text(attributeType) !== undefined && !isNamed(attributeType, 'Actual')) return undefined
      const actual = list(variableAttribute)
        .map(object)
        .find(({ type }) => type === undefined || isNamed(type, 'Actual'))
      return { place: placeNumber(object(evse).id) ?? 0, value: attributeValue ?? actual?.value }
    }),
  )
}

function isNamed(value: unknown, name: string): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === name.toLowerCase()
}

function keysSeen(
  found: readonly ({ readonly place: number; readonly value: unknown } | undefined)[],
): MeterInput | undefined {
  const keys: Reported[] = []
  for (const one of found) {
    const publicKey = one && publicKeyText(one.value)
    if (publicKey && keys.length < MAX_KEYS) keys.push({ place: one.place, publicKey })
  }
  return keys.length === 0 ? undefined : { kind: 'meterKeysSeen', keys }
}
