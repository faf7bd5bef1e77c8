/** Text that grows as UTF-8: an export has millions of lines, and encoding strings takes longer than reading rows. */

/** A table of the ASCII characters that may be written as they are: 1 at their code. */
type AsciiTable = Uint8Array

/** Writes `count` bytes of `from` to `to` at `at`, changed, at most twice as many. @returns where it ends */
type Rewrite = (from: Uint8Array, count: number, to: Uint8Array, at: number) => number

const FIRST_BYTES = 64 * 1024
const MAX_UNIT_BYTES = 3

export class Utf8Text {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES)
  private scratch = Buffer.allocUnsafe(FIRST_BYTES)
  private end = 0

  get byteLength(): number {
    return this.end
  }

  addAscii(text: string): void {
    const { length } = text
    this.reserve(length)
    const { bytes, end } = this
    for (let position = 0; position < length; position++) bytes[end + position] = text.charCodeAt(position)
    this.end = end + length
  }

  /** Half of a surrogate pair becomes U+FFFD. */
  add(text: string): void {
    this.reserve(text.length * MAX_UNIT_BYTES)
    this.end += this.bytes.write(text, this.end)
  }

  /** Adds a text that has only characters of `allowed`; of any other it adds nothing. @returns whether it was added */
  addIfOnly(allowed: AsciiTable, text: string): boolean {
    const { length } = text
    this.reserve(length)
    const { bytes, end } = this
    for (let position = 0; position < length; position++) {
      const code = text.charCodeAt(position)
      if (allowed[code] !== 1) return false
      bytes[end + position] = code
    }
    this.end = end + length
    return true
  }

  addRewritten(text: string, rewrite: Rewrite): void {
    const maxBytes = text.length * MAX_UNIT_BYTES
    if (this.scratch.length < maxBytes) this.scratch = Buffer.allocUnsafe(2 * maxBytes)
    const count = this.scratch.write(text)
    this.reserve(2 * count)
    this.end = rewrite(this.scratch, count, this.bytes, this.end)
  }

  /** What was added, as a buffer of its own; the next text begins empty. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.end)
    taken.set(this.bytes.subarray(0, this.end))
    this.end = 0
    return taken
  }

  clear(): void {
    this.end = 0
  }

  private reserve(count: number): void {
    if (this.end + count <= this.bytes.length) return
    const grown = Buffer.allocUnsafe(2 * (this.end + count))
    grown.set(this.bytes.subarray(0, this.end))
    this.bytes = grown
  }
}

/** @param except characters of it that are left out */
export function asciiTable(from: string, to: string, except = ''): AsciiTable {
  const table = new Uint8Array(128)
  table.fill(1, from.charCodeAt(0), to.charCodeAt(0) + 1)
  for (const character of except) table[character.charCodeAt(0)] = 0
  return table
}
