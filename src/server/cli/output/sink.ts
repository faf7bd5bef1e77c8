/** Where an export goes. Waits for slow readers, and never lets an unfinished file look like a finished one. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { UsageError } from '../cli-context.ts'

export interface Sink {
  write(text: Uint8Array): Promise<void>
  finish(): Promise<void>
  abandon(): Promise<void>
}

/** Throws UsageError when the file exists: an export never overwrites. */
export async function openSink(file: string | undefined, stdout: Writable = process.stdout): Promise<Sink> {
  if (file === undefined || file === '-') return streamSink(stdout)
  if (existsSync(file)) throw new UsageError(`${file} exists already: name a new file.`)
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new UsageError(`The folder ${folder} does not exist: make it first.`)
  const draft = `${file}.part`
  const handle = await open(draft, 'w', 0o600)
  return {
    write: async (text) => {
      await handle.write(text)
    },
    async finish() {
      await handle.sync()
      await handle.close()
      await rename(draft, file)
    },
    async abandon() {
      await handle.close()
      await rm(draft, { force: true })
    },
  }
}

function streamSink(stream: Writable): Sink {
  return {
    async write(text) {
      if (!stream.write(text)) await once(stream, 'drain')
    },
    finish: () => Promise.resolve(),
    abandon: () => Promise.resolve(),
  }
}
