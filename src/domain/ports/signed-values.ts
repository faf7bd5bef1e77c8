/** Signed meter data as a message carries it; what is kept of it is a record (domain/signed-values/records.ts). */

import type { PublicKeyText } from '../signed-values/records.ts'

export type { PublicKeyText }

/** Every text byte for byte as it was sent (ENERGY-N5, SIGNED-F1). */
export interface SignedData {
  readonly data: string
  /** Of context and data: equal for the same value sent again. */
  readonly digest: string
  readonly encodingMethod?: string | undefined
  readonly signingMethod?: string | undefined
  /** Absent: the station sent none, or an empty one. Then it is the meter's (SIGNED-K1). */
  readonly publicKey?: PublicKeyText | undefined
}
