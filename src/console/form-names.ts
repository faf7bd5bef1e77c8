/** Names of forms that act once (CONSOLE-A11): they change with each order, so a live page is stable until then. */
import { keepNewest } from '../limits/keep-newest.ts'

interface FormNames {
  readonly name: (visitor: string, form: string) => string
  readonly ordered: (visitor: string) => void
}

/** Far more than act at one time. */
const MAX_KEPT = 2000

export function createFormNames(): FormNames {
  const orders = new Map<string, number>()
  return {
    name: (visitor, form) => `${orders.get(visitor) ?? 0}.${form}`,
    ordered: (visitor) => keepNewest(orders, visitor, (orders.get(visitor) ?? 0) + 1, MAX_KEPT),
  }
}
