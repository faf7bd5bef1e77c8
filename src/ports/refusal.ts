/** Why an order is not followed, as a value: the core and the use cases of `orders` refuse with it. */

export interface Refusal {
  readonly refused: true
  /** The class of it as HTTP has it: the API and the console answer with this status. */
  readonly status: 400 | 403 | 404 | 409 | 422 | 429 | 503
  /** Stable, for programs. */
  readonly code: string
  /** For people. */
  readonly detail: string
  /** Member by member; a fault without a code of its own has the refusal's. */
  readonly errors?: readonly { readonly pointer: string; readonly code?: string; readonly message: string }[]
  /** Known when the order would be followed again. */
  readonly retryAfterSeconds?: number
}
