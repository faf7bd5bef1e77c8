/**
 * The secret part of a file's address (FIRMWARE-F1): 256 bits that only this installation can make, so that nobody
 * keeps them. The core makes them again when it sends an order, the API knows them by their hash.
 */
import { createHash, createHmac } from 'node:crypto'

/** The job that the file belongs to. */
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

/** What is kept of it. */
export function fileTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
