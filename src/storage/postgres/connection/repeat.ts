export type After = (ms: number, run: () => void) => () => void

/** Repeats the work after a pause; failed work is repeated likewise. @returns ends it */
export function repeat(after: After, ms: number, work: () => Promise<unknown>): () => void {
  let isStopped = false
  let cancel = (): void => undefined
  const again = (): void => {
    cancel = after(ms, () => {
      work()
        .catch(() => undefined)
        .finally(() => {
          if (!isStopped) again()
        })
    })
  }
  again()
  return () => {
    isStopped = true
    cancel()
  }
}
