type NullableKeys<Row> = { [Key in keyof Row]: null extends Row[Key] ? Key : never }[keyof Row]

/** The row with every NULL column left out: absent, never null (API-B1). */
export type Present<Row> = Omit<Row, NullableKeys<Row>> & { [Key in NullableKeys<Row>]?: NonNullable<Row[Key]> }

export function present<Row extends object>(row: Row): Present<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Present<Row>
}
