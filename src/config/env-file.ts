/** The file `.env` in the working directory: what is set in the environment wins over it. */
import { parseEnv } from 'node:util'
import type { Environment, ReadText } from './read-settings.ts'

/** @returns nothing without such a file @throws a sentence when it cannot be read, or has a line that sets nothing */
export function readEnvFile(path: string, readText: ReadText): Environment {
  let text: string
  try {
    text = readText(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} cannot be read (${reason}): make it a file that this user may read, or remove it.`)
  }
  // Editors that put a byte order mark there would hide the first name.
  const settings = text.replace(/^\uFEFF/, '')
  const stray = strayLine(settings)
  if (stray !== undefined) {
    // Not what it says: it may be half of a secret.
    throw new Error(`${path}: line ${stray} sets nothing: write NAME=value, or # before it.`)
  }
  // Node 20 takes a line of spaces for a part of the next name.
  return Object.fromEntries(Object.entries(parseEnv(settings)).map(([name, value]) => [name.trim(), value]))
}

/** One entry: an empty line, a comment, or NAME= with a value that may be quoted and then go over several lines. */
const ENTRY =
  // eslint-disable-next-line regexp/no-super-linear-backtracking -- the operator's own file
  /[^\S\n]*(?:#[^\n]*|(?:export[^\S\n]+)?[^\s=#]+[^\S\n]*=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`)?[^\n]*)?(?:\n|$)/y

/** Node 20 takes such a line for the beginning of the next name, whose setting is lost; later versions say nothing. */
function strayLine(settings: string): number | undefined {
  for (let at = 0; at < settings.length; at = ENTRY.lastIndex) {
    ENTRY.lastIndex = at
    if (!ENTRY.test(settings)) return settings.slice(0, at).split('\n').length
  }
  return undefined
}
