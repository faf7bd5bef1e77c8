/** Work that must not keep a caller waiting for ever (Q10). */
import type { Clock } from '../clock.ts'
import { Problem } from './problem.ts'

/** Settles like `work`, or rejects with 503 `search_timeout` once `ms` have passed. The work itself is not stopped. */
export function withDeadline<T>(work: Promise<T>, ms: number, after: Clock['after']): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = after(ms, () => {
      reject(
        new Problem(
          503,
          'search_timeout',
          'The search took too long: narrow its window or filters, or try again later.',
          {
            headers: { 'retry-after': '5' },
          },
        ),
      )
    })
    work.then(resolve, reject).finally(cancel)
  })
}
