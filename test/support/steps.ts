/** For tests of charging schedules: their periods as text. */

const SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }

/** `1h+30m:16/1` is 16 on one phase from the second 5400 on, `0:-` no limit. */
export const steps = (text: string) =>
  text.split(' ').map((step) => {
    const [from = '', limit = '', phases] = step.split(/[:/]/)
    const parts = from.split('+').map((part) => Number.parseInt(part, 10) * (SECONDS[part.at(-1) ?? ''] ?? 1))
    const startSeconds = parts.reduce((sum, part) => sum + part)
    return { startSeconds, limit: limit === '-' ? undefined : Number(limit), ...(phases && { phases: Number(phases) }) }
  })

export const periods = (text: string) => steps(text).map(({ limit = 0, ...step }) => ({ ...step, limit }))
