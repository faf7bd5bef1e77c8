/** Looking among variables for what no index knows. */
import type { StoredVariable } from './records.ts'

/** Rows of one read. */
export const PART = 500

export type VariableKey = Pick<StoredVariable, 'chargePointId' | 'key'>

/** Reads on until enough fit: the others are left out here, in parts that delay nobody. */
export async function fittingVariables(
  list: (after: VariableKey | undefined) => Promise<readonly StoredVariable[]>,
  fits: (row: StoredVariable) => boolean,
  limit: number,
  after: VariableKey | undefined,
): Promise<readonly StoredVariable[]> {
  const found: StoredVariable[] = []
  let behind = after
  for (;;) {
    const page = await list(behind)
    for (const row of page) {
      if (fits(row)) found.push(row)
      if (found.length === limit) return found
    }
    behind = page.at(-1)
    if (!behind || page.length < PART) return found
  }
}
