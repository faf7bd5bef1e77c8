/**
 * The station's WebSocket: one CALL at a time, answers to the central system's CALLs, a connection that comes back by
 * itself. Our own on `ws`, because message ids come from the seed and quirks bend single frames.
 */
import { WebSocket } from 'ws'
import { parsedJson } from '../../src/domain/parsed-json.ts'
import type { Clock, Protocol } from '../../src/domain/ports/core.ts'
import { faultsOf, validatorFor } from '../../src/ocpp/schema/validators.ts'
import { isObject, type Payload } from '../../src/ocpp/translate/payload.ts'
import type { Random } from '../random.ts'
import { explainClose, explainConnectFailure, UpgradeRefused } from './connect-failure.ts'
import {
  AnswerError,
  type Call,
  CallRefused,
  CallTimeout,
  ConnectionLost,
  errorText,
  type Frame,
  type FrameShape,
  type WireObserver,
} from './frames.ts'

export interface ConnectionOptions {
  readonly protocol: Protocol
  /** Read before each connection. */
  readonly access: () => Access
  readonly id: string
  readonly password?: string
  readonly strict: boolean
  /** Message types 5 and 6 exist (OCPP21-A1, OCPP21-A2). */
  readonly hasSend?: boolean
  readonly reconnect: boolean
  readonly callTimeoutMs: number
  /** Default: ten seconds. */
  readonly handshakeTimeoutMs?: number
  /** Real time: answers and back-off are about the other side, not about physics. */
  readonly clock: Clock
  readonly random: Random
  /** Spreads reconnects; apart from `random`, so that a lost connection moves no message id. */
  readonly jitter: Random
  readonly shape?: FrameShape
  readonly observer?: WireObserver
  readonly answer: (method: string, request: Payload) => Payload
  readonly opened: () => void
  readonly closed?: () => void
  /** A frame of the central system that breaks its schema, or one we could not answer. */
  readonly problem: (message: string) => void
}

export interface Access {
  readonly url: string
  /** False where the certificate takes the place of the password. */
  readonly usesPassword: boolean
  /** PEM; absent: what Node trusts. */
  readonly ca?: readonly string[]
  readonly cert?: string
  readonly key?: string
}

interface OpenCall extends Call {
  readonly resolve: (answer: Payload) => void
  readonly reject: (error: Error) => void
  id?: string
  startedAt?: number
  cancelTimeout?: () => void
}

const HANDSHAKE_TIMEOUT_MS = 10_000
const CLOSE_TIMEOUT_MS = 2_000
const SHOWN_OF_A_FRAME = 40
const BACK_OFF = { firstMs: 200, mostMs: 10_000 }

export type Connection = ReturnType<typeof createConnection>

export function createConnection(options: ConnectionOptions) {
  const { clock, random, jitter, shape, observer } = options
  let password = options.password
  let socket: WebSocket | undefined
  let desired = false
  let failures = 0
  let ended: { readonly fact: string; readonly advice?: string } | undefined
  let cancelReconnect: (() => void) | undefined
  const waiting: OpenCall[] = []
  let open: OpenCall | undefined

  const say = (text: string): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(text)
  }
  const send = (frame: Frame, observed: Frame = frame): void => {
    const text = JSON.stringify(frame)
    observer?.frame?.('in', observed)
    for (const line of shape?.texts?.(text, frame) ?? [text]) say(line)
  }
  const finish = (outcome: 'result' | 'error' | 'timeout' | 'lost'): OpenCall | undefined => {
    const call = open
    open = undefined
    if (!call) return undefined
    call.cancelTimeout?.()
    observer?.called?.(outcome, clock.monotonic() - (call.startedAt ?? 0), call.method)
    return call
  }
  const next = (): void => {
    if (open || socket?.readyState !== WebSocket.OPEN) return
    const call = waiting.shift()
    if (!call) return
    open = call
    const [first, ...more] = shape?.request?.(call.method, call.request) ?? [call]
    const messageId = shape?.messageId?.(random.uuid(), call.method) ?? random.uuid()
    call.id = String(messageId)
    call.startedAt = clock.monotonic()
    call.cancelTimeout = clock.after(options.callTimeoutMs, () => {
      finish('timeout')?.reject(
        new CallTimeout(
          `${call.method} was not answered within ${options.callTimeoutMs / 1000} s`,
          'The server keeps the connection and says nothing: its log says whether the message arrived',
        ),
      )
      next()
    })
    if (!first) {
      finish('result')?.resolve({})
      next()
      return
    }
    if (options.strict && !shape) checkOutgoing(first)
    send([2, messageId, first.method, first.request])
    for (const other of more) send([2, random.uuid(), other.method, other.request])
  }
  const checkOutgoing = ({ method, request }: Call): void => {
    const valid = validatorFor(options.protocol, method, 'req', 'outgoing')
    if (valid && !valid(request))
      options.problem(`${method} from this station breaks its schema: ${faultText(valid.errors)}`)
  }
  const received = (data: string): void => {
    const parsed = parsedJson(data)
    const frame = Array.isArray(parsed) ? (parsed as Frame) : undefined
    if (frame) observer?.frame?.('out', frame)
    if (frame?.[0] === 2) answerCall(frame)
    else if (frame?.[0] === 3 || frame?.[0] === 4) settle(frame)
    else if (frame?.[0] === 5 && options.hasSend)
      options.problem(`the central system could not use an answer of this station: ${frame.slice(2, 4).join(', ')}`)
    else {
      const shown = data.length > SHOWN_OF_A_FRAME ? `${data.slice(0, SHOWN_OF_A_FRAME)}…` : data || 'an empty frame'
      options.problem(
        `the central system sent ${shown}, which is no OCPP frame: those are arrays that begin with 2, 3 or 4`,
      )
    }
  }
  const settle = (frame: Frame): void => {
    if (!open || open.id !== String(frame[1])) return
    const { method } = open
    if (frame[0] === 4) {
      const [, , code = '', description] = frame
      finish('error')?.reject(new CallRefused(method, String(code), String(description ?? '')))
      next()
      return
    }
    const answer = isObject(frame[2]) ? frame[2] : undefined
    const faults = options.strict && answer ? faultsOf(options.protocol, method, 'conf', answer) : []
    if (!answer || faults.length > 0)
      options.problem(
        `${method} from the central system breaks its schema: ${answer ? faultText(faults) : 'no object'}`,
      )
    const unusable =
      answer && (shape?.unusable?.(method, answer) ?? (faults.length > 0 ? faultText(faults) : undefined))
    if (unusable !== undefined && options.hasSend) send([5, frame[1], 'FormatViolation', unusable.slice(0, 255), {}])
    finish('result')?.resolve(answer ?? {})
    next()
  }
  const cut = (fact: string, advice?: string): void => {
    ended = { fact, ...(advice !== undefined && { advice }) }
    socket?.terminate()
  }
  const drop = (): void => cut('the station cut the connection')
  const answerCall = (frame: Frame): void => {
    const [, id, method, payload] = frame
    const messageId = typeof id === 'string' || typeof id === 'number' ? id : '-1'
    try {
      if (typeof method !== 'string') throw new AnswerError('ProtocolError', 'the CALL names no action')

      const request = checkedRequest(method, payload)
      const answer = options.answer(method, request)
      const given = shape?.answer ? shape.answer(method, request, answer, drop) : answer
      if (given !== undefined) send([3, messageId, given])
    } catch (error) {
      const code = error instanceof AnswerError ? error.code : 'InternalError'
      if (!(error instanceof AnswerError)) options.problem(`${method} could not be answered: ${errorText(error)}`)
      send([4, messageId, code, errorText(error).slice(0, 255), {}])
    }
  }
  const checkedRequest = (method: string, payload: unknown): Payload => {
    if (!validatorFor(options.protocol, method, 'req', 'quick'))
      throw new AnswerError('NotImplemented', `this station has no ${method}`)
    const malformed = options.protocol === 'ocpp1.6' ? 'FormationViolation' : 'FormatViolation'
    if (!isObject(payload)) throw new AnswerError(malformed, 'the payload is no object')
    const faults = options.strict ? faultsOf(options.protocol, method, 'req', payload) : []
    if (faults.length === 0) return payload
    options.problem(`${method} from the central system breaks its schema: ${faultText(faults)}`)
    throw new AnswerError(malformed, faultText(faults))
  }

  let pingMs = 0
  let isAlive = true
  let cancelPing: () => void = () => undefined
  const pingLater = (): void => {
    cancelPing()
    if (pingMs <= 0 || socket?.readyState !== WebSocket.OPEN) return
    cancelPing = clock.after(pingMs, () => {
      if (!isAlive) return cut('a ping was not answered in time', 'The server hangs, or the network is gone')
      isAlive = false
      socket?.ping()
      pingLater()
    })
  }
  const lostCall = (what: string): ConnectionLost => {
    const { fact, advice } = ended ?? { fact: 'there is no connection' }
    return new ConnectionLost(`${what}: ${fact}`, advice)
  }
  const dropCalls = (): void => {
    const lost = [finish('lost'), ...waiting.splice(0)]
    for (const call of lost) call?.reject(lostCall(`${call.method} was not answered`))
  }
  const openSocket = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const { url, usesPassword, ca, cert, key } = options.access()
      const endpoint = `${url.replace(/\/+$/, '')}/${encodeURIComponent(options.id)}`
      const made = new WebSocket(endpoint, [options.protocol], {
        handshakeTimeout: options.handshakeTimeoutMs ?? HANDSHAKE_TIMEOUT_MS,
        perMessageDeflate: false,
        autoPong: shape?.pongs ?? true,
        ...(ca && { ca: [...ca] }),
        ...(cert !== undefined && key !== undefined && { cert, key }),
        ...(password !== undefined && usesPassword && { headers: { authorization: basic(options.id, password) } }),
      })
      socket = made
      made.on('open', () => {
        failures = 0
        isAlive = true
        ended = undefined
        pingLater()
        resolve()
        options.opened()
      })
      made.on('pong', () => {
        isAlive = true
      })
      made.on('message', (data: Buffer) => received(data.toString('utf8')))
      made.on('unexpected-response', (_request, response) => {
        response.resume()
        reject(new UpgradeRefused(response.statusCode ?? 0))
        made.terminate()
      })
      made.on('error', reject)
      made.on('close', (code: number, reason: Buffer) => {
        reject(new ConnectionLost('the connection was closed'))
        if (socket !== made) return
        socket = undefined
        ended ??= explainClose(code, reason.toString('utf8'))
        cancelPing()
        if (desired) {
          observer?.lost?.({ method: open?.method, close: trouble() ?? '' })
          options.problem(ended.fact)
        }
        dropCalls()
        options.closed?.()
        if (desired && options.reconnect) reconnectLater()
      })
    })
  const attempt = (): Promise<void> =>
    openSocket().catch((error: unknown) => {
      ended = { fact: explainConnectFailure(error, options.access().url) }
      throw new Error(ended.fact, { cause: error })
    })
  const trouble = (): string | undefined => ended && [ended.fact, ended.advice].filter(Boolean).join('. ')
  const reconnectLater = (): void => {
    const backOffMs = Math.min(BACK_OFF.mostMs, BACK_OFF.firstMs * 2 ** failures)
    failures += 1
    cancelReconnect?.()
    cancelReconnect = clock.after(backOffMs * (0.75 + jitter.next() * 0.5), () => {
      // A failure ends in `close`, which plans the next attempt.
      if (desired && !socket) attempt().catch(() => undefined)
    })
  }

  return {
    get online(): boolean {
      return socket?.readyState === WebSocket.OPEN
    },
    /** How the last connection ended, or why the last attempt failed, and what to do. */
    get trouble(): string | undefined {
      return trouble()
    },
    /** Rejects when the first attempt fails, with a sentence that says what to do. */
    async connect(): Promise<void> {
      if (socket?.readyState === WebSocket.OPEN) return
      cancelReconnect?.()
      desired = false
      await attempt()
      desired = true
    },
    /** `abrupt` sends no close frame. */
    async close(abrupt = false): Promise<void> {
      desired = false
      cancelReconnect?.()
      ended = { fact: 'the station closed the connection' }
      const closing = socket
      if (!closing) return
      const closed = new Promise<void>((resolve) => closing.once('close', () => resolve()))
      if (abrupt) closing.terminate()
      else closing.close(1000)
      const cancel = clock.after(CLOSE_TIMEOUT_MS, () => closing.terminate())
      await closed
      cancel()
    },
    call: (call: Call) =>
      new Promise<Payload>((resolve, reject) => {
        // On a closing socket it waits for the close frame, which says why it cannot leave.
        if (!socket || socket.readyState === WebSocket.CONNECTING) {
          reject(lostCall(`${call.method} was not sent`))
          return
        }
        waiting.push({ ...call, resolve, reject })
        next()
      }),
    /** Message type 6: never answered, and lost without a connection. */
    tell(call: Call): void {
      if (socket?.readyState !== WebSocket.OPEN) return
      if (options.strict && !shape) checkOutgoing(call)
      const said = shape?.request?.(call.method, call.request) ?? [call]
      for (const { method, request } of said) send([6, random.uuid(), method, request])
    },
    say,
    /** Takes effect with the next connection, as on a real station. */
    usePassword(next: string): void {
      password = next
    },
    /** Pings so often; a connection on which the last one is unanswered is given up. 0: none. */
    usePingInterval(seconds: number): void {
      pingMs = seconds * 1000
      pingLater()
    },
  }
}

function basic(id: string, password: string): string {
  return `Basic ${Buffer.from(`${id}:${password}`, 'utf8').toString('base64')}`
}

function faultText(faults: readonly { instancePath: string; message?: string }[] | null | undefined): string {
  const first = faults?.[0]
  return first ? `${first.instancePath || '/'} ${first.message ?? 'is wrong'}` : 'it is wrong'
}
