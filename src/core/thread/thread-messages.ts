/** The hot traffic between the sockets' thread and the core's: batches of frames as flat arrays, cheap to clone. */

import type { SignerSettings } from '../../domain/ports/certificates.ts'
import type { Answered, Core } from '../../domain/ports/core.ts'
import type { Writes } from '../../domain/ports/storage.ts'
import type { CoreSettings } from '../core-settings.ts'

export interface CoreThreadStart {
  readonly databaseUrl: string
  readonly settings: CoreSettings
  readonly certificates: SignerSettings
  readonly node: { readonly name: string; readonly version: string }
}

/** How many committed change sets readers cannot see yet; shared, so that asking costs nothing while there are none. */
export type Waiting = Int32Array<SharedArrayBuffer>

/** What the core's thread answers: all that `Core` answers, every write, and what belongs to the thread itself. */
export interface ThreadMethods extends Pick<Core, Answered> {
  putInPlace(chargePointId?: string): Promise<void>
  write<Name extends keyof Writes>(name: Name, ...args: Parameters<Writes[Name]>): Promise<unknown>
  close(): Promise<void>
}

export type ToCore =
  /** connection, text, connection, text, … in order of arrival */
  | { readonly frames: readonly (number | string)[] }
  | { readonly opened: Parameters<Core['opened']> }
  | { readonly closed: Parameters<Core['closed']> }
  | { readonly alive: number }

export type FromCore =
  | { readonly ready: { readonly salt: bigint } }
  /** As above; an empty text says that one text of this connection is dealt with. */
  | { readonly frames: readonly (number | string)[] }
  | { readonly setLimits: readonly [connection: number, isUnaccepted: boolean] }
  /** Webhook deliveries were committed. */
  | { readonly due: true }
  | { readonly close: readonly [connection: number, code: number, reason: string] }
  | { readonly log: { readonly level: 'info' | 'warn' | 'error'; readonly fields: object; readonly message: string } }

/** Beyond this a batch leaves at once: a message that holds megabytes is copied in one go. */
const BATCH_CHARACTERS = 256 * 1024

/** Gathers frames until the present turn is over and hands them on together. */
export function batchFrames(
  post: (frames: readonly (number | string)[]) => void,
  later: (run: () => void) => void,
): { readonly add: (connection: number, text: string) => void; readonly flush: () => void } {
  let frames: (number | string)[] = []
  let characters = 0
  const flush = (): void => {
    if (frames.length === 0) return
    const batch = frames
    frames = []
    characters = 0
    post(batch)
  }
  return {
    add(connection, text) {
      if (frames.length === 0) later(flush)
      frames.push(connection, text)
      characters += text.length
      if (characters > BATCH_CHARACTERS) flush()
    },
    // Order matters: whatever else is posted must come after the frames before it.
    flush,
  }
}

export function eachFrame(frames: readonly (number | string)[], run: (connection: number, text: string) => void): void {
  for (let index = 0; index + 1 < frames.length; index += 2) run(frames[index] as number, frames[index + 1] as string)
}
