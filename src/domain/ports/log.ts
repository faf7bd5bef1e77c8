/**
 * The program's log, as everything that writes to it sees it. `src/server/log.ts` makes it; its lines go to stderr.
 *
 * `fields` are plain values for a machine, named as in the rest of the code (`{ chargePoint: 'EV-001', status: 403 }`);
 * what an error says stands in the member `error`, as a string. `message` is one short sentence for a person and holds
 * no values. Known secrets are blanked in both.
 * @example log.warn({ chargePoint: 'EV-001' }, 'the charge point answered too late')
 */
export interface Log {
  /** Something happened that an operator may want to look up. */
  info(fields: object, message: string): void
  /** Something is wrong outside of this program, or will be soon. */
  warn(fields: object, message: string): void
  /** This program could not do what it promises: an operator has to look. */
  error(fields: object, message: string): void
}
