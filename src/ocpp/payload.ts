/** The request or the answer, as the wire has it. */
export type Payload = Readonly<Record<string, unknown>>

export interface OutgoingCall {
  readonly method: string
  readonly request: Payload
}
