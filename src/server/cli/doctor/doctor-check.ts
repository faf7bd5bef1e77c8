/** One line of the doctor's report. */
export interface Check {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  /** A sentence; where something is wrong it says what to do. */
  readonly detail: string
}
