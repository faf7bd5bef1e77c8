/** Documents whose commands are executed as they stand there. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { House, Json } from './house.ts'

/** Its shell blocks in their order. @param marker only those behind it */
export function commandsOf(document: string, marker = ''): readonly string[] {
  const text = readFileSync(document, 'utf8')
  return [...text.slice(text.indexOf(marker)).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => command)
}

/** What a command says to a reader who set URL and CREDENTIAL. */
export async function runFor(
  { url, credential }: Pick<House, 'url' | 'credential'>,
  command = 'false',
): Promise<string> {
  const env = { ...process.env, URL: url, CREDENTIAL: credential }
  return (await promisify(execFile)('sh', ['-c', command], { env })).stdout
}

/** The same of one that says JSON, or nothing. */
export async function jsonFor<T = Json>(house: Pick<House, 'url' | 'credential'>, command?: string): Promise<T> {
  return JSON.parse((await runFor(house, command)) || '{}') as T
}
