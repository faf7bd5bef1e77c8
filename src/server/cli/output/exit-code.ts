export class ExitCode extends Error {
  override readonly name = 'ExitCode'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`exit ${exitCode}`)
    this.exitCode = exitCode
  }
}
