/** How long a chain a charge point takes (CERT-C10): its device model says it, or the schema of the message. */

import type { StoredVariable } from '../device-model/records.ts'
import { MAX_CHAIN_LENGTH } from '../x509/signed-chain.ts'

/** Of 2.0.1 and of 1.6. */
export const CHAIN_SIZE_KEYS = ['securityctrlr.maxcertificatechainsize', 'chargepoint.certificatesignedmaxchainsize']

export function longestChain(rows: readonly Pick<StoredVariable, 'key' | 'value' | 'gone'>[]): number {
  const reported = rows
    .filter(({ key, gone }) => !gone && CHAIN_SIZE_KEYS.includes(key))
    .map(({ value }) => Number(value))
    .filter((size) => Number.isSafeInteger(size) && size > 0)
  return Math.min(MAX_CHAIN_LENGTH, ...reported)
}
