/** What the operator of a server wants to know about its database; absent where an engine cannot say. */
export interface StorageFigures {
  readonly databaseBytes?: number | undefined
  /** Of the write-ahead log. */
  readonly logBytes?: number | undefined
  /** Of the disk that holds the database. */
  readonly diskBytes?: number | undefined
  readonly diskFreeBytes?: number | undefined
  /** When the newest verified backup was complete; milliseconds since the epoch. */
  readonly lastBackupAt?: number | undefined
  /**
   * Age of the oldest transaction that has written and not ended, anywhere on the server and as far as this user may
   * see them; 0: none. The events feed waits for it.
   */
  readonly oldestTransactionSeconds?: number | undefined
  /** Servers that follow this one as far as this user may see them. */
  readonly standbys?: number | undefined
  /** Of the write-ahead log that the last one of them has not replayed; absent without one. */
  readonly standbyLagBytes?: number | undefined
}
