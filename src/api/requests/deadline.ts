import type { Clock } from '../../domain/ports/core.ts'

/** Settles like `work`, or rejects once `ms` have passed. The work itself is not stopped. */
export function withDeadline<T>(work: Promise<T>, ms: number, after: Clock['after']): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = after(ms, () => reject(new Error(`There was no answer within ${ms} ms.`)))
    work.then(resolve, reject).finally(cancel)
  })
}
