/** Numbers assigned once and never again, whatever happens to the process or its backup (SESSION-A3). */

/** Room for numbers assigned after a backup that is restored. */
export const JUMP_AT_START = 10_000
/** OCPP 1.6 transactionId and 2.0.1 remoteStartId are positive int32. */
export const LAST_NUMBER = 2 ** 31 - 1

export function requireSome(count: number): void {
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`Cannot reserve ${count} numbers: ask for 1 or more.`)
}

export function usedUp(sequence: string): Error {
  return new Error(`The sequence ${sequence} is used up: no number may be given twice and ${LAST_NUMBER} is the last.`)
}
