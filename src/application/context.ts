import type { IsKeeper } from '../domain/periodic.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { Answered, Core } from '../domain/ports/core.ts'
import type { Log } from '../domain/ports/log.ts'
import type { Reads, Writes } from '../domain/ports/storage.ts'

/** What use cases take from outside; each picks the members that it needs. */
export interface UseCaseContext {
  readonly reads: Reads
  readonly writes: Writes
  readonly core: Pick<Core, Exclude<Answered, 'admit' | 'leave' | 'drain'>>
  readonly clock: Clock
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly after: Clock['after']
  readonly random: (bytes: number) => Buffer
  readonly log: Log
  /** 32 bytes. */
  readonly secretKey: Uint8Array
  /** UTC unless given. */
  readonly timeZone?: string | undefined
  /** PEM, where it is known: root of the certificate that this server shows (CERT-C25). */
  readonly serverRoot?: string | undefined
  /** For the public ids of commands. */
  readonly salt: bigint
  /** Which of several servers does periodic work (STORE-N14). */
  readonly isKeeper?: IsKeeper | undefined
}

/** Settings that a use case reads; volts are those of each phase. */
export interface WithSettings<Name extends 'secretKey' | 'voltage' | 'timeZone'> {
  readonly settings: Pick<
    { readonly secretKey: Uint8Array; readonly voltage: number; readonly timeZone?: string | undefined },
    Name
  >
}
