export type Payload = Readonly<Record<string, unknown>>

export interface OutgoingCall {
  readonly method: string
  readonly request: Payload
}
