/** Messages on the display of a charge point: those desired there, and those that it reported (DRIVER-M1). */
import { integer, json, optional, type RecordOf, record, text } from '../records/record.ts'

/** In which form a message is written. */
export const MESSAGE_FORMATS = ['ASCII', 'HTML', 'URI', 'UTF8'] as const
/** The most important one first. */
export const MESSAGE_PRIORITIES = ['AlwaysFront', 'InFront', 'NormalCycle'] as const
/** What the charge point does while the message is shown. */
export const DISPLAY_STATES = ['Charging', 'Faulted', 'Idle', 'Unavailable'] as const

/** The text in another language. */
export interface Translation {
  readonly content: string
  readonly language: string
}

/** A message as a charge point has it; times in ms since the epoch. */
export interface DisplayMessage {
  readonly id: number
  readonly content: string
  readonly language?: string | undefined
  readonly format: string
  readonly priority: string
  readonly state?: string | undefined
  readonly startAt?: number | undefined
  readonly endAt?: number | undefined
  readonly transactionId?: string | undefined
}

/** What an intent of the kind `displayMessage` wants. */
export interface DesiredMessage extends DisplayMessage {
  readonly translations?: readonly Translation[] | undefined
  /** Of these the one in the driver's language (DRIVER-M7). */
  readonly shownAs?: Translation | undefined
  readonly clear?: true | undefined
}

/** What each charge point said that it has, by its number there. */
export const stationMessages = record('station_messages', {
  key: ['chargePointId', 'id'],
  columns: {
    chargePointId: text(),
    id: integer(),
    message: json<DisplayMessage>(),
    /** The newest report of ours that had it. */
    seenIn: optional(integer()),
    updatedAt: integer(),
  },
  loadedWith: 'chargePoint',
})

export type StationMessage = RecordOf<typeof stationMessages>

/** NotifyDisplayMessages: a page; pages come in their order and have no numbers. */
export interface DisplayInput {
  readonly kind: 'displayPage'
  readonly requestId?: number | undefined
  readonly isLast: boolean
  readonly messages: readonly DisplayMessage[]
}
