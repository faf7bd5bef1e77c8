/** The secret part of a file's address (FIRMWARE-F1): derived, not stored; the API finds it by its hash. */
import { createHash, createHmac } from 'node:crypto'

export interface FileJob {
  readonly kind: 'log' | 'firmware'
  readonly chargePointId: string
  readonly requestId: number
  readonly createdAt: number
}

/** @param secretKey 32 bytes */
export function fileToken(secretKey: Uint8Array, { kind, chargePointId, requestId, createdAt }: FileJob): string {
  const job = JSON.stringify(['file', kind, chargePointId, requestId, createdAt])
  return createHmac('sha256', secretKey).update(job).digest('base64url')
}

export function fileTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
