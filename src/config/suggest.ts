/** Typing errors between two words: insertions, deletions, replacements and swapped neighbours. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1]?.[j] ?? 0
      const left = row[j - 1] ?? 0
      const diagonal = rows[i - 1]?.[j - 1] ?? 0
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (rows[i - 2]?.[j - 2] ?? Infinity) : Infinity
      row.push(Math.min(above + 1, left + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1), swapped + 1))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** The nearest known word, undefined when nothing is near: at most a quarter of the letters may differ, at least 3. */
export function suggestion(word: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= Math.max(3, Math.floor(name.length / 4)))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.name
}
