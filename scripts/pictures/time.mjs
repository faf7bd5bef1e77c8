// The day of the pictures: it runs fast until it is over, and then as fast as any other. The server and the simulated
// stations follow the same one: the server has this file loaded before its own (`node --import`), in each thread.

/** When the pictures are taken, so that they show the same day whenever that is. */
const END = Date.UTC(2026, 8, 15, 14, 5)
const SPAN_MS = 24 * 3_600_000
const SPEED = 900
const realNow = Date.now

/** @param {number} beganAt real milliseconds */
function dayBegunAt(beganAt) {
  return () => {
    const gone = realNow() - beganAt
    const fast = Math.min(gone, SPAN_MS / SPEED)
    return Math.round(END - SPAN_MS + fast * SPEED + (gone - fast))
  }
}

/** A clock for a simulated station, and when things happen. */
export function createDay(beganAt = realNow()) {
  const now = dayBegunAt(beganAt)
  /** In steps, because the speed changes once. */
  const after = (ms, run) => {
    const due = now() + ms
    let timer
    const look = () => {
      const left = due - now()
      if (left <= 0) return run()
      timer = setTimeout(look, now() < END ? Math.max(1, Math.min(left, END - now()) / SPEED) : left)
    }
    look()
    return () => clearTimeout(timer)
  }
  return {
    clock: { now, monotonic: now, after },
    /** Resolves so many hours before the pictures are taken. */
    until: (hoursBefore) => new Promise((resolve) => after(END - hoursBefore * 3_600_000 - now(), resolve)),
    /** What a process needs in its environment to follow it. */
    environment: { NODE_OPTIONS: `--import=${import.meta.url}`, PICTURES_BEGAN_AT: String(beganAt) },
  }
}

if (process.env.PICTURES_BEGAN_AT) Date.now = dayBegunAt(Number(process.env.PICTURES_BEGAN_AT))
