/** A kind of desired state. It says what is due and orders it; reconciler.ts does the rest. */
import type { Purpose } from '../../domain/outgoing-calls/records.ts'
import type { RecordKind } from '../../domain/records/records.ts'
import type { CoreContext } from '../context.ts'
import type { CoreSettings } from '../core-settings.ts'
import type { Station } from '../memory/station.ts'
import type { Pace } from './paced-turns.ts'
import type { Stored } from './stored.ts'

export interface Task {
  /** One order at a time per charge point, subject and key. */
  readonly key: string
}

export interface Subject<Of extends Task = Task> {
  readonly name: string
  /** A committed change of one of these may make something due. */
  readonly records: readonly RecordKind[]
  /** As may the outcome of a call for one of these. */
  readonly purposes: readonly Purpose['kind'][]
  /** Pure, from memory; empty while it cannot be sent or is under way. */
  due(station: Station, now: number, settings: CoreSettings): readonly Of[]
  /** Resolves when ordered or unnecessary. After a fault it is tried again. */
  order(context: CoreContext, station: Station, task: Of): Promise<unknown>
  /** When time alone may next make something due; later than now. */
  dueAgainAt?(station: Station, now: number, settings: CoreSettings): number | undefined
  /** @returns whether something waits for the connection's first message (OCPP-DR10) */
  reconnected?(station: Station, now: number): boolean
  readonly pace?: Pace
  /** Work of an earlier process or an ended node. */
  readonly interrupted?: Stored
  /** Work that needs no connection. */
  readonly unfinished?: Stored
  /** What time ends, also for charge points outside memory. */
  readonly overdue?: readonly { readonly everyMs: number; readonly stored: Stored }[]
}
