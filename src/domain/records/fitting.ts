export const PART = 500

/** Reads on until enough fit: the others are left out here, in parts that delay nobody. */
export async function fittingRecords<Row extends Key, Key>(
  list: (after: Key | undefined) => Promise<readonly Row[]>,
  fits: (row: Row) => boolean,
  limit: number,
  after: Key | undefined,
): Promise<readonly Row[]> {
  const found: Row[] = []
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

export async function fittingOfChargePoints<Row extends Key, Key extends { readonly chargePointId: string }>(
  chargePointIds: readonly string[],
  list: (chargePointId: string, after: Key | undefined) => Promise<readonly Row[]>,
  fits: (row: Row) => boolean,
  limit: number,
  after: Key | undefined,
): Promise<readonly Row[]> {
  const found: Row[] = []
  for (const id of [...new Set(chargePointIds)].sort()) {
    if (found.length >= limit) break
    if (after && id < after.chargePointId) continue
    const behind = after?.chargePointId === id ? after : undefined
    found.push(...(await fittingRecords((from: Key | undefined) => list(id, from), fits, limit - found.length, behind)))
  }
  return found
}
