import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../test/support/clock.ts'
import { FileFault } from './multipart.ts'
import { bodyPieces, type Files, IDLE_MS, isUnfinished, openFiles, WHOLE_MS } from './store.ts'

let folder: string
let files: Files
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'pilotwire-files-')), 'data.files')
  files = openFiles(folder, 100, (bytes) => Buffer.alloc(bytes, 7))
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

async function* of(...pieces: string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const kindOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'kept',
    (error: unknown) => (error instanceof FileFault ? error.kind : error),
  )

it('FIRMWARE-F3: files: a file is read as it was written, by its owner alone, whole or in part', async () => {
  expect(await files.keep('log-1', of('ab', 'cd'))).toMatchObject({ bytes: 4 })
  expect(await textOf(files.read('log-1'))).toBe('abcd')
  expect(await textOf(files.read('log-1', { first: 1, last: 2 }))).toBe('bc')
  expect(statSync(join(folder, 'log-1')).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect((await files.list()).map(({ name }) => name)).toEqual(['log-1'])
  await files.remove('log-1')
  expect([await files.has('log-1'), await files.list()]).toEqual([false, []])
  await files.remove('log-1')
})

it('FIRMWARE-F3: files: its name stands for it only when it is complete', async () => {
  let atEnd: readonly string[] = []
  async function* watched(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a')
    atEnd = readdirSync(folder)
  }
  await files.keep('log-2', watched())
  expect(atEnd).toHaveLength(1)
  expect(isUnfinished(atEnd[0] ?? '')).toBe(true)
  expect(readdirSync(folder)).toEqual(['log-2'])
})

it.each([
  ['tooLarge', of('x'.repeat(101)), 'tooLarge'],
  [
    'diskFull',
    (async function* () {
      yield Buffer.from('a')
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    })(),
    'diskFull',
  ],
])('FIRMWARE-F5: %s leaves nothing', async (_, content, kind) => {
  expect(await kindOf(files.keep('log-3', content))).toBe(kind)
  expect(readdirSync(folder)).toEqual([])
})

it.each(['../x', 'A', '', 'a/b', 'x'.repeat(101)])('FIRMWARE-F6: files: %j is no name of ours', async (name) => {
  await expect(files.keep(name, of('a'))).rejects.toThrow('Not the name')
})

describe('FIRMWARE-F5: a body', () => {
  it('of which nothing comes for a minute is given up', async () => {
    const clock = manualClock(0)
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('a')),
      cancel: () => {
        cancelled = true
      },
    })
    const kept = kindOf(files.keep('log-4', bodyPieces(body, clock.after)))
    const stop = setInterval(() => clock.advance(IDLE_MS), 1)
    expect(await kept).toBe('tooSlow')
    clearInterval(stop)
    expect(cancelled).toBe(true)
    expect(readdirSync(folder)).toEqual([])
  })

  it('that comes byte by byte for hours is given up', async () => {
    const clock = manualClock(0)
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        clock.advance(IDLE_MS - 1)
        controller.enqueue(Buffer.from('a'))
      },
    })
    const large = openFiles(folder, Number.POSITIVE_INFINITY, (bytes) => Buffer.alloc(bytes, 7))
    expect(await kindOf(large.keep('log-6', bodyPieces(body, clock.after)))).toBe('tooSlow')
    expect(clock.monotonic()).toBeLessThan(WHOLE_MS + 5 * IDLE_MS)
  })

  it('that breaks off leaves nothing', async () => {
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('reset')) })
    expect(await kindOf(files.keep('log-5', bodyPieces(body, manualClock(0).after)))).toBe('brokenOff')
    expect(readdirSync(folder)).toEqual([])
  })

  it('FIRMWARE-F8: an upload that would take the reserve of the disk is stopped, and nothing is kept of it', async () => {
    let free = 10 * 1024 * 1024
    const reserve = { bytes: 8 * 1024 * 1024, free: async () => free }
    const guarded = openFiles(folder, 100 * 1024 * 1024, (bytes) => Buffer.alloc(bytes, 7), reserve)
    let sent = 0
    async function* upload(): AsyncIterable<Uint8Array> {
      for (; sent < 50; sent++) {
        free -= 1024 * 1024
        yield Buffer.alloc(1024 * 1024)
      }
    }
    await expect(guarded.keep('large', upload())).rejects.toMatchObject({ kind: 'diskFull' })
    expect(sent).toBeLessThan(5)
    expect(await guarded.list()).toEqual([])
    await expect(guarded.keep('small', upload())).rejects.toMatchObject({ kind: 'diskFull' })
    free = 100 * 1024 * 1024
    sent = 49
    expect(await guarded.keep('small', upload())).toMatchObject({ bytes: 1024 * 1024 })
    sent = 48
    await expect(guarded.keep('other', upload(), 1024 * 1024)).rejects.toMatchObject({ kind: 'tooLarge' })
  })
})
