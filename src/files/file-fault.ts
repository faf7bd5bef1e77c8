/** Why a file was not taken, as far as whoever sent it may know. */

export type FileFaultKind = 'tooLarge' | 'brokenOff' | 'tooSlow' | 'malformed' | 'diskFull'

export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly kind: FileFaultKind

  constructor(kind: FileFaultKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
  }
}
