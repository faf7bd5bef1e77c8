/** Several expectations of one text, such as a page. */
import { expect } from 'vitest'

export function expectTexts(whole: string, ...parts: readonly string[]): void {
  for (const part of parts) expect(whole).toContain(part)
}

export function expectWithout(whole: string, ...parts: readonly string[]): void {
  for (const part of parts) expect(whole).not.toContain(part)
}
