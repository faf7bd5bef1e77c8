/** Why an order is not carried out, as a value: the core and the use cases of `orders` return it and do not throw. */
export interface Refusal {
  readonly refused: true
  /** The status of HTTP with which the API and the console answer. */
  readonly status: 400 | 403 | 404 | 408 | 409 | 413 | 415 | 422 | 429 | 503 | 507
  /** For programs, such as `charge_point_offline`; it never changes. */
  readonly code: string
  /** One or two sentences for a person: what is wrong, and what to do. Holds no secret. */
  readonly detail: string
  /** What is wrong with single members, by JSON pointer. Without a `code` it has the refusal's. */
  readonly errors?:
    | readonly { readonly pointer: string; readonly code?: string | undefined; readonly message: string }[]
    | undefined
  /** The rest of what was sent is not read, so the connection ends with the answer. */
  readonly unread?: true | undefined
  /** Present when it is known how long to wait until the same order may succeed. */
  readonly retryAfterSeconds?: number | undefined
}
