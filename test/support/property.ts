/** For tests of properties: `fc.assert` and `fc.property` in one call. */
import fc from 'fast-check'

type Property<Values extends [unknown, ...unknown[]]> = [
  ...arbitraries: { [At in keyof Values]: fc.Arbitrary<Values[At]> },
  holds: (...values: Values) => void,
]

export const forAll = <Values extends [unknown, ...unknown[]]>(...property: Property<Values>): void =>
  fc.assert(fc.property(...property))

/** For another number of values than a hundred, and after the examples of the property's one value. */
export const forRuns =
  (numRuns: number, examples: readonly unknown[] = []) =>
  <Values extends [unknown, ...unknown[]]>(...property: Property<Values>): void =>
    fc.assert(fc.property(...property), { numRuns, examples: examples.map((one) => [one] as unknown as Values) })
