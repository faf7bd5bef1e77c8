/**
 * Takes turns between the work of many callers in one thread (SEARCH-Q12): a caller with hundreds of queries delays the
 * others by one turn. Work has steps; between two of them it can be set aside for the next line, cancelled by its
 * caller, or ended at its time limit.
 */

/** Runs a few milliseconds at most between two yields. */
export type Steps<T> = Generator<void, T, void>

/** The operations of a port, or some of them, each in steps. */
export type InSteps<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Promise<infer T>
    ? (...args: Args) => Steps<T>
    : never
}

export interface Line {
  /** Work of one key runs in order of arrival. */
  readonly key: string
  /** Running time, without waiting for turns. */
  readonly limitMs?: number | undefined
  /** Includes the running one. */
  readonly most?: number | undefined
}

export interface Waited<T> {
  readonly value: T
  /** Between its arrival and its first step. */
  readonly waitedMs: number
}

export interface Turns {
  /** @throws TurnError when the line is full, the work took too long, or `signal` was aborted */
  take<T>(line: Line, begin: () => Steps<T>, signal?: AbortSignal): Promise<Waited<T>>
}

export class TurnError extends Error {
  override readonly name = 'TurnError'
  readonly code: 'TURN_LINE_FULL' | 'TURN_TIMEOUT' | 'TURN_CANCELLED'

  constructor(code: TurnError['code'], message: string) {
    super(message)
    this.code = code
  }
}

interface Work {
  readonly line: Line
  readonly begin: () => Steps<unknown>
  readonly arrivedAt: number
  readonly settle: (end: () => void) => void
  readonly resolve: (waited: Waited<unknown>) => void
  readonly reject: (error: unknown) => void
  /** From its first step on. */
  running?: { readonly steps: Steps<unknown>; readonly waitedMs: number } | undefined
  spentMs: number
}

export function createTurns({
  now,
  later,
  turnMs,
}: {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** Runs after all messages that have arrived by then, so that work can be added or cancelled. */
  readonly later: (run: () => void) => void
  /** After this the next line has its turn. */
  readonly turnMs: number
}): Turns {
  /** In the order of their next turns. */
  const lines = new Map<string, Work[]>()
  let isDue = false

  const schedule = (): void => {
    if (isDue || lines.size === 0) return
    isDue = true
    later(nextTurn)
  }

  const nextTurn = (): void => {
    isDue = false
    const [first] = lines
    if (!first) return
    const [key, waiting] = first
    // Behind all others; an empty line is forgotten.
    lines.delete(key)
    const [work] = waiting
    if (work && run(work)) waiting.shift()
    if (waiting.length > 0) lines.set(key, waiting)
    schedule()
  }

  /** @returns whether it is over */
  const run = (work: Work): boolean => {
    const startedAt = now()
    let elapsedMs = 0
    try {
      work.running ??= { steps: work.begin(), waitedMs: startedAt - work.arrivedAt }
      const { steps, waitedMs } = work.running
      do {
        const { done, value } = steps.next()
        if (done) {
          work.settle(() => work.resolve({ value, waitedMs }))
          return true
        }
        elapsedMs = now() - startedAt
        if (work.spentMs + elapsedMs > (work.line.limitMs ?? Number.POSITIVE_INFINITY)) {
          end(work, new TurnError('TURN_TIMEOUT', 'The work took too long.'))
          return true
        }
      } while (elapsedMs < turnMs)
    } catch (error) {
      work.settle(() => work.reject(error))
      return true
    }
    work.spentMs += elapsedMs
    return false
  }

  const end = (work: Work, error: TurnError): void => {
    work.settle(() => work.reject(error))
    work.running?.steps.return(undefined)
  }

  const leave = (work: Work): void => {
    const { key } = work.line
    const waiting = (lines.get(key) ?? []).filter((other) => other !== work)
    if (waiting.length > 0) lines.set(key, waiting)
    else lines.delete(key)
    end(work, new TurnError('TURN_CANCELLED', 'The caller cancelled the query.'))
  }

  return {
    take: <T>(line: Line, begin: () => Steps<T>, signal?: AbortSignal) =>
      new Promise<Waited<T>>((resolve, reject) => {
        if (signal?.aborted) return reject(new TurnError('TURN_CANCELLED', 'The caller cancelled the query.'))
        const waiting = lines.get(line.key) ?? []
        if (waiting.length >= (line.most ?? Number.POSITIVE_INFINITY)) {
          return reject(new TurnError('TURN_LINE_FULL', 'Too many queries are waiting in this line.'))
        }
        const cancel = (): void => leave(work)
        const work: Work = {
          line,
          begin,
          arrivedAt: now(),
          settle: (settled) => {
            signal?.removeEventListener('abort', cancel)
            settled()
          },
          resolve: resolve as Work['resolve'],
          reject,
          spentMs: 0,
        }
        signal?.addEventListener('abort', cancel)
        waiting.push(work)
        lines.set(line.key, waiting)
        schedule()
      }),
  }
}

/** Runs all steps at once, for a caller that has the thread to itself. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
