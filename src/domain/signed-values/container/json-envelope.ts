/** 1.6 writes 2.0.1's object as JSON; its data is called `signedMeterData` or `signedMeterValue` (SIGNED-F2). */
import { isObject } from '../ocmf/reading.ts'

export interface Envelope {
  readonly data: string
  readonly encodingMethod?: string | undefined
  readonly signingMethod?: string | undefined
  readonly publicKey?: string | undefined
}

const DATA = ['signedmeterdata', 'signedmetervalue', 'signeddata', 'ocmf']
/** `{"signedMeterValue": {"signedMeterData": …}}` */
const NESTED = 2

export function readEnvelope(text: string): Envelope | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return envelopeOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function envelopeOf(value: unknown, depth = NESTED): Envelope | undefined {
  if (!isObject(value)) return undefined
  const members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]))
  for (const name of DATA) {
    const data = members.get(name)
    if (isObject(data) && depth > 1) return envelopeOf(data, depth - 1)
    if (typeof data === 'string' && data !== '') {
      return {
        data,
        encodingMethod: said(members.get('encodingmethod')),
        signingMethod: said(members.get('signingmethod')),
        publicKey: said(members.get('publickey')),
      }
    }
  }
  return undefined
}

/** An empty text is how the object spells "not said" (SIGNED-K1). */
export function said(member: unknown): string | undefined {
  return typeof member === 'string' && member.trim() !== '' ? member : undefined
}
