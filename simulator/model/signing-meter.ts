/** A meter that signs the registers of a charge with a test key of its own, as OCMF records. */

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { isoTime } from '../../src/domain/iso-time.ts'
import type { LocalTransaction, Moment, SignedReading } from './facts.ts'
import type { StationRules } from './station-rules.ts'

export const SIGNING_METHOD = 'ECDSA-secp256r1-SHA256'

export function createSigningMeter(serialNumber: string) {
  let keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } | undefined
  /** Made when it is first needed: most stations never sign. */
  const own = () => (keys ??= generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  /** DER in hex. */
  const publicKey = () => own().publicKey.export({ type: 'spki', format: 'der' }).toString('hex')
  let page = 0
  return {
    publicKey,
    sign(
      { startedAt, meterStartWh, idToken }: LocalTransaction,
      moment: Moment,
      edge: 'begin' | 'end',
      { publicKeyWithReadings }: Pick<StationRules, 'publicKeyWithReadings'>,
    ): SignedReading {
      const begin = reading('B', startedAt, meterStartWh)
      const payload = JSON.stringify({
        FV: '1.0',
        GI: 'Pilotwire simulator',
        GS: serialNumber,
        PG: `T${++page}`,
        MV: 'Pilotwire',
        MM: 'Simulated meter',
        MS: `M-${serialNumber}`,
        IS: true,
        IL: 'VERIFIED',
        IF: ['RFID_PLAIN'],
        IT: 'ISO14443',
        ID: idToken.id,
        RD: edge === 'begin' ? [begin] : [begin, reading('E', moment.at, moment.reading.registerWh)],
      })
      const signature = sign('sha256', Buffer.from(payload), own().privateKey).toString('hex')
      const goesAlong =
        publicKeyWithReadings === 'EveryMeterValue' ||
        (publicKeyWithReadings === 'OncePerTransaction' && edge === 'begin')
      return {
        record: `OCMF|${payload}|${JSON.stringify({ SA: SIGNING_METHOD, SD: signature })}`,
        ...(goesAlong && { publicKey: publicKey() }),
      }
    },
  }
}

/** Whole watt-hours, as in the messages beside it: JSON drops the zeros of kilowatt-hours, which OCMF counts. */
function reading(edge: 'B' | 'E', at: number, registerWh: number) {
  return {
    TM: `${isoTime(at).replace('.', ',').replace('Z', '+0000')} S`,
    TX: edge,
    RV: Math.floor(registerWh),
    RI: '1-b:1.8.0',
    RU: 'Wh',
    EF: '',
    ST: 'G',
  }
}
