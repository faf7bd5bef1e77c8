/** Work that takes its time at the station: simulated time stands still until each piece of it is done. */
import type { CommandTarget } from '../target.ts'

/** Runs the work so many simulated seconds from now; work for one instant must be one piece. */
export function inTime<T>(target: Pick<CommandTarget, 'time'>, seconds: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    target.time.after(seconds * 1000, () => {
      const done = work()
      done.then(resolve, reject)
      return done.catch(() => undefined)
    })
  })
}

export async function pause(target: Pick<CommandTarget, 'time'>, seconds: number): Promise<void> {
  await inTime(target, seconds, async () => undefined)
}
