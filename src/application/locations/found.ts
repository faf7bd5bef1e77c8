import type { Fault } from '../../domain/message-log/fault.ts'

/** A location of a file, or what is wrong there. */
export type FoundLocation =
  | { readonly at: string; readonly faults: readonly Fault[] }
  | {
      readonly at: string
      readonly id: unknown
      readonly body: object
      /** The file cannot say charge points: those that are known stay. */
      readonly keepsPlaces?: true
    }
