/** Ends a command with an exit code when everything worth saying is already printed. */
export class ExitCode extends Error {
  override readonly name = 'ExitCode'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`exit ${exitCode}`)
    this.exitCode = exitCode
  }
}
