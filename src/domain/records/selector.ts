/**
 * Which charge points are meant, in the words of the API: all that it says must hold; `{}` means all of the account.
 */
export interface Selector {
  readonly ids?: readonly string[] | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly firmwareVersion?: string | undefined
}
