/** A kind of thing desired of charge points. It says what is due and orders it; reconciler.ts does the rest. */
import type { Purpose } from '../../domain/outgoing-calls/records.ts'
import type { RecordKind } from '../../domain/records/records.ts'
import type { CoreContext } from '../context.ts'
import type { CoreSettings } from '../core-settings.ts'
import type { Station } from '../memory/station.ts'
import type { Pace } from './paced-turns.ts'
import type { Stored } from './stored.ts'

export interface Task {
  /** Of one charge point and subject, only one with this key is being ordered at a time. */
  readonly key: string
}

export interface Subject<Of extends Task = Task> {
  readonly name: string
  /** A committed change of one of these may make something due. */
  readonly records: readonly RecordKind[]
  /** So may the outcome of a call for one of these. */
  readonly purposes: readonly Purpose['kind'][]
  /** Pure, from what memory has of the charge point; nothing while it cannot be sent or is under way. */
  due(station: Station, now: number, settings: CoreSettings): readonly Of[]
  /** Resolves when it is ordered, or turned out to be needless. After a fault it is looked at again. */
  order(context: CoreContext, station: Station, task: Of): Promise<unknown>
  /** When the clock alone may next make something due; later than now. */
  dueAgainAt?(station: Station, now: number, settings: CoreSettings): number | undefined
  /** It has a new connection. @returns whether something waits for the first word on it (OCPP-DR10) */
  reconnected?(station: Station, now: number): boolean
  readonly pace?: Pace
  /** What an earlier process or a node that ended had under way. */
  readonly interrupted?: Stored
  /** What can go on before the charge point is back. */
  readonly unfinished?: Stored
  /** What the clock ends, of charge points that are not in memory as well. */
  readonly overdue?: readonly { readonly everyMs: number; readonly stored: Stored }[]
}
