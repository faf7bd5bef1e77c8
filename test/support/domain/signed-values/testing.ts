/** A meter that signs OCMF records with a key of its own, for tests. */
import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto'
import type { SignedValue } from '../../../../src/domain/signed-values/records.ts'

export interface Meter {
  /** DER in hex, as printed on it. */
  readonly publicKey: string
  readonly key: KeyObject
  record(readings: readonly Reading[], options?: RecordOptions): string
}

export interface Reading {
  readonly TM?: string
  readonly TX?: string
  readonly RV?: number | string
  readonly RU?: string
  readonly RI?: string
  readonly EF?: string
  readonly ST?: string
}

interface RecordOptions {
  readonly SA?: string | undefined
  readonly SE?: 'hex' | 'base64'
  readonly signatureForm?: 'der' | 'ieee-p1363'
  readonly payload?: Readonly<Record<string, unknown>>
  readonly hash?: string
}

/** @param curve as node:crypto names it */
export function meterOn(curve: string, SA?: string): Meter {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: curve })
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('hex'),
    key: publicKey,
    record(readings, options = {}) {
      const { SE = 'hex', signatureForm: dsaEncoding = 'der', hash = 'sha256' } = options
      const algorithm = 'SA' in options ? options.SA : SA
      const payload = JSON.stringify({
        FV: '1.0',
        GS: '1',
        PG: 'T1',
        MS: 'M1',
        IS: true,
        ...options.payload,
        RD: readings,
      })
      const SD = sign(hash, Buffer.from(payload), { key: privateKey, dsaEncoding }).toString(SE)
      return `OCMF|${payload}|${JSON.stringify({ ...(algorithm && { SA: algorithm }), ...(SE === 'base64' && { SE }), SD })}`
    },
  }
}

export const BEGIN: Reading = {
  TM: '2026-08-01T14:00:00,000+0200 S',
  TX: 'B',
  RV: 100.25,
  RU: 'kWh',
  RI: '1-b:1.8.0',
  EF: '',
  ST: 'G',
}
export const END: Reading = { ...BEGIN, TM: '2026-08-01T15:00:00,000+0200 S', TX: 'E', RV: 110.5 }

export function signedValue(data: string, facts: Partial<SignedValue> = {}): SignedValue {
  return {
    sessionId: 's1',
    station: 'CP1',
    digest: hash('sha256', data),
    transactionId: '1',
    place: 1,
    at: Date.UTC(2026, 7, 1, 12),
    context: 'Sample.Periodic',
    commandId: 1,
    storedAt: Date.UTC(2026, 7, 1, 12),
    data,
    ...facts,
  }
}
