export type StorageErrorCode =
  | 'storage_full'
  | 'storage_read_only'
  | 'storage_busy'
  | 'storage_corrupt'
  | 'storage_failed'

/** The database is unusable until an operator changes a setting of ours or of its server. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}

/** The database as a whole refused: nothing of the group was stored, and the caller may try again. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
