/**
 * Where a bench keeps its files. On the disk of the checkout: a temporary directory is often memory, which never waits.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory)
  return directory
}

/** Runs `work` with a directory of its own that is gone afterwards. */
export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const parent = join(packageRoot(), 'data')
  mkdirSync(parent, { recursive: true })
  const directory = mkdtempSync(join(parent, 'bench-'))
  try {
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
