const MAX_LINES = 200

export function createJournal(now: () => number) {
  const lines: { readonly at: number; readonly text: string }[] = []
  return {
    note(text: string): void {
      lines.push({ at: now(), text })
      if (lines.length > MAX_LINES) lines.shift()
    },
    lines: () => lines,
  }
}
