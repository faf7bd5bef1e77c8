/** What the operator of a server wants to know about its database; absent where an engine cannot say. */
export interface StorageFigures {
  readonly databaseBytes?: number | undefined
  readonly logBytes?: number | undefined
  readonly diskBytes?: number | undefined
  readonly diskFreeBytes?: number | undefined
  /** When the newest verified backup was complete; milliseconds since the epoch. */
  readonly lastBackupAt?: number | undefined
  /** Age of the oldest open transaction that has written, as far as visible; 0: none. The events feed waits for it. */
  readonly oldestTransactionSeconds?: number | undefined
  /** Servers that follow this one as far as this user may see them. */
  readonly standbys?: number | undefined
  /** Of the write-ahead log that the last one of them has not replayed; absent without one. */
  readonly standbyLagBytes?: number | undefined
}
