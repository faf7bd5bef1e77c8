/** OCPP-J frames as a station sees them: what it sends, what it gets, and the errors an answer can be. */
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { adviceOnCallError } from './connect-failure.ts'

/**
 * Parsed: `[2, 'id', 'Heartbeat', {}]`; 2 is a CALL, 3 a CALLRESULT, 4 a CALLERROR, and in OCPP 2.1 5 an answer that
 * could not be used and 6 a SEND.
 */
export type Frame = readonly unknown[]

/** What happened, and in its message what to do about it as well. */
class WireFault extends Error {
  readonly fact: string
  constructor(fact: string, advice?: string) {
    super(advice === undefined ? fact : `${fact}. ${advice}`)
    this.fact = fact
  }
}

/** The central system answered a CALL with a CALLERROR. */
export class CallRefused extends WireFault {
  override readonly name = 'CallRefused'
  readonly code: string
  constructor(method: string, code: string, description: string) {
    super(
      `${method} was answered ${code === '' ? 'with a CALLERROR without a code' : code}${description === '' ? '' : `: ${description}`}`,
      adviceOnCallError(code),
    )
    this.code = code
  }
}

/** No answer came in time. */
export class CallTimeout extends WireFault {
  override readonly name = 'CallTimeout'
}

/** The connection ended before the answer. */
export class ConnectionLost extends WireFault {
  override readonly name = 'ConnectionLost'
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function factOf(error: unknown): string {
  return error instanceof WireFault ? error.fact : errorText(error)
}

/** Thrown by an answer to the central system: it becomes a CALLERROR. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly code: string
  constructor(code: string, description: string) {
    super(description)
    this.code = code
  }
}

/** How a station's frames differ from what its model says; quirks are made of these. */
export interface FrameShape {
  /** The CALL as it is sent instead; several: one after the other, the first one's answer counts. */
  readonly request?: (method: string, request: Payload) => readonly Call[]
  /** The texts that go on the wire instead of this frame; none: it is never said. */
  readonly texts?: (text: string, frame: Frame) => readonly string[]
  /** The answer to a CALL of the central system; undefined: it is never given. */
  readonly answer?: (method: string, request: Payload, answer: Payload, drop: () => void) => Payload | undefined
  /** Why the answer to this CALL of the station cannot be used (OCPP 2.1); absent: as its schema says. */
  readonly unusable?: (method: string, answer: Payload) => string | undefined
  readonly messageId?: (proposed: string, method: string) => string | number
  readonly pongs?: false
}

export interface Call {
  readonly method: string
  readonly request: Payload
}

/** How a CALL of the station ended. */
export type CallOutcome = 'result' | 'error' | 'timeout' | 'lost'

/** What happens on the wire, for figures, traces and the window. */
export interface WireObserver {
  /** `in` is from the station, as in the server's log. */
  readonly frame?: (direction: 'in' | 'out', frame: Frame) => void
  /** Every CALL of the station as it ends. */
  readonly called?: (outcome: CallOutcome, latencyMs: number, method: string) => void
  /** The other side, or the network, ended the connection; `method` was not answered. */
  readonly lost?: (loss: { readonly method: string | undefined; readonly close: string }) => void
}
