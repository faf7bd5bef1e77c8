/**
 * Names of forms that act once (CONSOLE-A11), for pages that are kept up to date: they change with every order of the
 * visitor and not with every look at the page, so that it stays as it is while nothing happens.
 */
import { keepNewest } from '../limits/keep-newest.ts'

interface FormNames {
  readonly name: (visitor: string, form: string) => string
  readonly ordered: (visitor: string) => void
}

/** Far more than act at one time. */
const MOST_KEPT = 2000

export function createFormNames(): FormNames {
  const orders = new Map<string, number>()
  return {
    name: (visitor, form) => `${orders.get(visitor) ?? 0}.${form}`,
    ordered: (visitor) => keepNewest(orders, visitor, (orders.get(visitor) ?? 0) + 1, MOST_KEPT),
  }
}
