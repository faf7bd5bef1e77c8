export type After = (ms: number, run: () => void) => () => void

/** Again and again, so long after the last time ended; what fails is done the next time. @returns what ends it */
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
