/** A change of a record: what is given replaces what was, `null` removes an optional attribute. */
export type ChangeOf<Record> = {
  readonly [Name in keyof Record]?: Record[Name] | (undefined extends Record[Name] ? null : never) | undefined
}
