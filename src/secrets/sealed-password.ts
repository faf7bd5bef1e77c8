/** Passwords of rotations: each is sealed for one charge point in one rotation (OCPP-AU7). */
import { sealedBox } from './sealed-box.ts'

interface PasswordOwner {
  readonly chargePointId: string
  readonly rotationId: string
}

export function sealPassword(
  secretKey: Uint8Array,
  owner: PasswordOwner,
  password: string,
  random: (bytes: number) => Buffer,
): string {
  return sealedBox(secretKey, 'passwordChanges', random).seal(password, ownerText(owner))
}

/** Undefined: sealed for another owner or under another key. */
export function openPassword(secretKey: Uint8Array, owner: PasswordOwner, sealed: string): string | undefined {
  return sealedBox(secretKey, 'passwordChanges', Buffer.alloc).open(sealed, ownerText(owner))
}

function ownerText({ chargePointId, rotationId }: PasswordOwner): string {
  return JSON.stringify([rotationId, chargePointId])
}
