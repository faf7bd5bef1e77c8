interface JournalLine {
  readonly at: number
  readonly text: string
}

export interface Journal {
  note(text: string): void
  readonly lines: () => readonly JournalLine[]
}

const MAX_LINES = 200

export function createJournal(now: () => number): Journal {
  const lines: JournalLine[] = []
  return {
    note(text) {
      lines.push({ at: now(), text })
      if (lines.length > MAX_LINES) lines.shift()
    },
    lines: () => lines,
  }
}
