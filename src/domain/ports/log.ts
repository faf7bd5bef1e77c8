/**
 * The program's log; `src/server/log.ts` writes it to stderr. `fields` are plain values named as in the code, an error
 * as the string `error`; `message` is one short sentence without values. Known secrets are blanked in both.
 */
export interface Log {
  /** Something happened that an operator may want to look up. */
  info(fields: object, message: string): void
  /** Something is wrong outside of this program, or will be soon. */
  warn(fields: object, message: string): void
  /** This program could not do what it promises: an operator has to look. */
  error(fields: object, message: string): void
}
