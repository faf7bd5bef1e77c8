/** Why a file was not accepted, as far as its sender may know. */
import type { Refusal } from '../domain/ports/refusal.ts'
import { refuse } from '../domain/refuse.ts'

type FileFaultKind = 'tooLarge' | 'brokenOff' | 'tooSlow' | 'malformed' | 'diskFull' | 'overQuota'

export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly kind: FileFaultKind

  constructor(kind: FileFaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
  }
}

const REFUSED_AS: Readonly<Record<FileFaultKind, readonly [status: Refusal['status'], code: string]>> = {
  tooLarge: [413, 'file_too_large'],
  brokenOff: [400, 'upload_incomplete'],
  tooSlow: [408, 'upload_too_slow'],
  malformed: [400, 'malformed_form'],
  diskFull: [507, 'disk_full'],
  overQuota: [507, 'quota_exceeded'],
}

export function refusalOfFile({ kind, message }: FileFault): Refusal {
  const [status, code] = REFUSED_AS[kind]
  return { ...refuse(status, code, message), unread: true }
}
