/** What stands in a CALL. */

/** The request or the answer, as the wire has it. */
export type Payload = Readonly<Record<string, unknown>>

/** A CALL to a charge point. */
export interface OutgoingCall {
  readonly method: string
  readonly request: Payload
}
