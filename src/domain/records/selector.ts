/** Which charge points are meant: all that it says must hold; `{}` means all of the account. */
export interface Selector {
  readonly ids?: readonly string[] | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly firmwareVersion?: string | undefined
  readonly not?: Exclusion | undefined
}

/** Stations that are left out: by id, or by a label and its value. */
export interface Exclusion {
  readonly ids?: readonly string[] | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
}
