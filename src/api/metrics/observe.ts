type SearchKind = 'page' | 'count' | 'export' | 'methods'

export interface Metrics {
  observeRequest(method: string, route: string, status: number, seconds: number): void
  observeSearch(kind: SearchKind, version: 'v1' | 'v2', seconds: number): void
  /** Between its arrival in the reader's thread and its first turn (SEARCH-Q12). */
  observeSearchWait(kind: SearchKind, version: 'v1' | 'v2', seconds: number): void
  countV1Use(credentialId: string): void
  render(): Promise<{ readonly type: string; readonly text: string }>
}
