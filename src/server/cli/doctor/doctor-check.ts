export interface Check {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  /** A sentence; where something is wrong it says what to do. */
  readonly detail: string
}

export const findings = (check: string) => {
  const found =
    (status: Check['status']) =>
    (detail: string): Check => ({ check, status, detail })
  return { ok: found('ok'), warning: found('warning'), failed: found('failed') }
}
