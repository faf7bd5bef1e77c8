/** What the operator of a server wants to know about its database; absent where an engine cannot say. */
export interface StorageFigures {
  readonly databaseBytes?: number
  /** Of the write-ahead log. */
  readonly logBytes?: number
  /** Of the disk that holds the database. */
  readonly diskBytes?: number
  readonly diskFreeBytes?: number
  /** When the newest verified backup was complete; milliseconds since the epoch. */
  readonly lastBackupAt?: number
}
