/**
 * Files beside the database (FIRMWARE-F3): written, synced, then renamed, so that a name always has a complete file.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../domain/ports/core.ts'
import { FileFault } from './multipart.ts'

export interface KeptFile {
  readonly bytes: number
  /** Hexadecimal. */
  readonly sha256: string
}

export interface Files {
  /** Per file. */
  readonly maxBytes: number
  /**
   * Resolves when the file is durable.
   * @param most bytes, where less than `maxBytes`
   * @throws FileFault when it is too large, breaks off or finds no room; then nothing is kept
   */
  keep(name: string, content: AsyncIterable<Uint8Array>, most?: number): Promise<KeptFile>
  read(name: string, part?: Part): AsyncIterable<Uint8Array>
  /** False: no such file. */
  has(name: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** With the times of their last changes; includes unfinished uploads. */
  list(): Promise<readonly { readonly name: string; readonly changedAt: number }[]>
}

/** Our own names only, with those of unfinished uploads. */
const NAME = /^[a-z0-9-]{1,100}(?:\.[a-f0-9]{16}\.part)?$/
const UNFINISHED = /\.part$/
const OWNER_ONLY = 0o600
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** FIRMWARE-F8: disk space that files leave free for the database. */
interface DiskReserve {
  readonly bytes: number
  readonly free: (folder: string) => Promise<number>
}

/** Checked before a file and after each such step of it. */
const RESERVE_STEP_BYTES = 1024 * 1024

/** @param folder created for the first file */
export function openFiles(
  folder: string,
  maxBytes: number,
  random: (bytes: number) => Buffer,
  reserve: DiskReserve = { bytes: 0, free: async () => Number.POSITIVE_INFINITY },
): Files {
  const hasRoom = async (): Promise<boolean> => (await reserve.free(folder)) >= reserve.bytes
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new Error('Not the name of a stored file.')
    return join(folder, name)
  }
  return {
    maxBytes,
    async keep(name, content, most = maxBytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = pathOf(`${name}.${random(8).toString('hex')}.part`)
      try {
        const kept = await write(unfinished, whileRoom(content, hasRoom), Math.min(most, maxBytes))
        await rename(unfinished, pathOf(name))
        await syncFolder(folder)
        return kept
      } catch (error) {
        await rm(unfinished, { force: true })
        const code = (error as { readonly code?: unknown }).code
        if (FULL.has(code)) throw new FileFault('diskFull', 'There is no room for the file.', error)
        throw error
      }
    },
    read: (name, part) =>
      createReadStream(pathOf(name), part && { start: part.first, end: part.last }) as AsyncIterable<Uint8Array>,
    has: (name) =>
      stat(pathOf(name)).then(
        (found) => found.isFile(),
        () => false,
      ),
    remove: (name) => rm(pathOf(name), { force: true }),
    async list() {
      const names = await readdir(folder).catch(() => [])
      const found = await Promise.all(
        names
          .filter((name) => NAME.test(name))
          .map(async (name) => {
            const changedAt = await stat(join(folder, name)).then(
              ({ mtimeMs }) => mtimeMs,
              () => undefined,
            )
            return changedAt === undefined ? [] : [{ name, changedAt }]
          }),
      )
      return found.flat()
    },
  }
}

export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name)
}

async function* whileRoom(
  content: AsyncIterable<Uint8Array>,
  hasRoom: () => Promise<boolean>,
): AsyncIterable<Uint8Array> {
  let unchecked = RESERVE_STEP_BYTES
  for await (const piece of content) {
    unchecked += piece.length
    if (unchecked >= RESERVE_STEP_BYTES) {
      unchecked = 0
      if (!(await hasRoom())) throw new FileFault('diskFull', 'The disk is almost full: no files are accepted now.')
    }
    yield piece
  }
}

async function write(path: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<KeptFile> {
  const file = await open(path, 'wx', OWNER_ONLY)
  try {
    const kept = await writeAll(file, content, maxBytes)
    await file.sync()
    return kept
  } finally {
    await file.close()
  }
}

/** One piece after the other: back pressure for senders that are faster than the disk. */
async function writeAll(file: FileHandle, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<KeptFile> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > maxBytes) throw new FileFault('tooLarge', `A file may have at most ${maxBytes} bytes.`)
    hash.update(piece)
    await file.writeFile(piece)
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** The new name must survive a power cut as well. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export interface StoredFile {
  readonly name: string
  readonly shownName: string
  readonly bytes: number
  readonly sha256: string
}

/** The requested part of a file (RFC 9110 §14). */
interface Part {
  readonly first: number
  /** Inclusive. */
  readonly last: number
}

/**
 * `whole`: no range, several, or an unknown unit, which a server may ignore. `none`: outside the file, answered 416.
 * @param etag current; a different `ifRange` means that the file has changed since the first part
 */
export function desiredPart(
  { range, ifRange }: { readonly range: string | undefined; readonly ifRange: string | undefined },
  bytes: number,
  etag: string,
): Part | 'whole' | 'none' {
  if (range === undefined || (ifRange !== undefined && ifRange.trim() !== etag)) return 'whole'
  const [, first = '', last = ''] = /^bytes=(\d{0,16})-(\d{0,16})$/i.exec(range.replaceAll(/\s/g, '')) ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const suffix = Math.min(Number(last), bytes)
    return suffix === 0 ? 'none' : { first: bytes - suffix, last: bytes - 1 }
  }
  const from = Number(first)
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < from) return 'whole'
  return from >= bytes ? 'none' : { first: from, last: to }
}

/** Reads a request's body in pieces, with a deadline (FIRMWARE-F5). */
export const IDLE_MS = 60_000
/** Enough for the largest file over a megabit line, and a bound for slow senders. */
export const WHOLE_MS = 6 * 3600_000

/** @throws FileFault when the body breaks off or a deadline passes */
export async function* bodyPieces(
  body: ReadableStream<Uint8Array> | null,
  after: Clock['after'],
): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  let isDone = false
  let isLate = false
  const cancelWhole = after(WHOLE_MS, () => {
    isLate = true
  })
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), IDLE_MS, after)
      isDone = done
      if (done) return
      if (isLate) throw new FileFault('tooSlow', `The file did not arrive within ${WHOLE_MS / 3600_000} hours.`)
      yield value
    }
  } finally {
    cancelWhole()
    // Not awaited: a silent sender does not answer this either.
    if (!isDone) void reader.cancel().catch(() => undefined)
  }
}

function within<T>(reading: Promise<T>, ms: number, after: Clock['after']): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = after(ms, () => reject(new FileFault('tooSlow', `Nothing arrived for ${ms / 1000} seconds.`)))
    reading.then(
      (value) => {
        cancel()
        resolve(value)
      },
      (cause: unknown) => {
        cancel()
        reject(new FileFault('brokenOff', 'The file broke off before its end.', cause))
      },
    )
  })
}
