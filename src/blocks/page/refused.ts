/** What the API refuses by throwing, for pages, which refuse with a value. */
import { Problem } from '../../http/problem.ts'
import type { Refusal } from '../../ports/refusal.ts'

const STATUSES: readonly number[] = [400, 403, 404, 409, 422, 429, 503] satisfies readonly Refusal['status'][]

export async function refusalOf<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, code, message, errors } = error
    if (!isRefusalStatus(status)) throw error
    return { refused: true, status, code, detail: message, ...(errors && { errors }) }
  }
}

function isRefusalStatus(status: number): status is Refusal['status'] {
  return STATUSES.includes(status)
}
