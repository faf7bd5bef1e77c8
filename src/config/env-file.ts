/** The file `.env` in the working directory: what is set in the environment wins over it. */
import { parseEnv } from 'node:util'
import type { Environment, ReadText } from './read-settings.ts'

/**
 * @returns nothing when there is no such file
 * @throws Error with a sentence when it cannot be read, or has a line that sets nothing
 */
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
  const values = parseEnv(text.replace(/^\uFEFF/, ''))
  for (const name of Object.keys(values)) {
    // parseEnv takes such a line for the beginning of the next name, and the setting there would be lost unnoticed.
    const [line = '', next] = name.split('\n')
    if (next !== undefined)
      throw new Error(`${path}: the line "${line}" sets nothing: write NAME=value, or # before it.`)
  }
  return values
}
