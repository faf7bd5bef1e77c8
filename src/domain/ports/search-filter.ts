/** The log's filter as engines see it, canonical (SEARCH-Q2); all conditions must hold, absent ones restrict none. */

/** One condition on an attribute of a row. */
export type Condition<T> =
  | { readonly op: 'in'; readonly values: readonly T[] }
  /** Also matches rows where the attribute is absent. */
  | { readonly op: 'nin'; readonly values: readonly T[] }
  | { readonly op: 'gt' | 'gte' | 'lt' | 'lte'; readonly value: number }
  | { readonly op: 'exists'; readonly value: boolean }

/** All that is given must hold. */
export interface SearchFilter {
  /** Empty matches nothing. */
  readonly methods?: readonly string[] | undefined
  readonly excludeMethods?: readonly string[] | undefined
  readonly connectorId?: readonly Condition<number>[] | undefined
  /** Range operators match only rows whose text is a decimal integer. */
  readonly transactionId?: readonly Condition<string>[] | undefined
  readonly status?: readonly Condition<string>[] | undefined
  /** Whether the schema objected to something in the message or its answer. */
  readonly schemaErrors?: boolean | undefined
}
