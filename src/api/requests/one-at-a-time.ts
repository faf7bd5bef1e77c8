/** Runs pipelined requests one by one: Node would start thousands of one read before anything else has a turn. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Far more than any client pipelines. Beyond it the connection ends, so the client retries (RFC 9112 §9.3.2). */
const MAX_WAITING = 100

interface Line {
  isRunning: boolean
  readonly waiting: (() => void)[]
}

export function oneAtATime(listener: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>()

  const run = (line: Line, request: IncomingMessage, response: ServerResponse): void => {
    line.isRunning = true
    response.once('close', () => {
      line.isRunning = false
      if (!request.socket.destroyed) line.waiting.shift()?.()
    })
    listener(request, response as Parameters<RequestListener>[1])
  }

  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket) ?? { isRunning: false, waiting: [] }
    lines.set(socket, line)
    if (!line.isRunning) run(line, request, response)
    else if (line.waiting.length < MAX_WAITING) line.waiting.push(() => run(line, request, response))
    else socket.destroy()
  }
}
