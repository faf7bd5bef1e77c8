/** What became of a CALL of ours. */
export type CallOutcome =
  | { readonly status: 'success'; readonly payload: unknown; readonly payloadText: string }
  | { readonly status: 'error'; readonly code: string; readonly description: string; readonly details: unknown }
  | { readonly status: 'timeout' }
  /** `unsent`: it never left; otherwise nobody knows whether it arrived. */
  | { readonly status: 'dropped'; readonly unsent?: true }

/** It will never be sent. */
export const UNSENT: CallOutcome = { status: 'dropped', unsent: true }

type Failed = Exclude<CallOutcome, { readonly status: 'success' }>

/** Codes of a station that has no such message (INTENT-A4). */
const UNSUPPORTED = new Set(['NotImplemented', 'NotSupported'])

/** What it means that no answer came to a call, or an error. `lost`: nobody knows what became of it. */
export function failureOf(outcome: Failed) {
  switch (outcome.status) {
    case 'error': {
      const reason = `${outcome.code} ${outcome.description}`.trim().slice(0, 500)
      return { kind: UNSUPPORTED.has(outcome.code) ? 'unsupported' : 'refused', reason } as const
    }
    case 'timeout':
      return { kind: 'lost', reason: 'no answer' } as const
    case 'dropped':
      return outcome.unsent
        ? ({ kind: 'unsent', reason: 'it was not sent' } as const)
        : ({ kind: 'lost', reason: 'the connection ended before the answer' } as const)
  }
}
