export type CallOutcome =
  | { readonly status: 'success'; readonly payload: unknown; readonly payloadText: string }
  | { readonly status: 'error'; readonly code: string; readonly description: string; readonly details: unknown }
  | { readonly status: 'timeout' }
  /** `unsent`: it never left; otherwise its arrival is unknown. */
  | { readonly status: 'dropped'; readonly unsent?: true }

export const UNSENT: CallOutcome = { status: 'dropped', unsent: true }
