/**
 * What the product weighs. A figure above its line in weight.json fails, and so does a line that is more than 2 % above
 * its figure: the figures only fall. `npx vitest run --project quick test/weight.test.ts` prints them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { START_TRANSACTION, testCore } from './support/core/testing.ts'
import LIMITS from './weight.json' with { type: 'json' }

/** What an American editor strikes (docs/glossary.md). */
const STRUCK_WORDS = /told|wanted|whoever|nobody|somebody/gi
const STRUCK_NAMES = /\b(?:MOST|LONGEST|USUAL)_|_PATIENCE\b|\bisMeant\b|[a-z](?:Place|Parts)\b/g

const textOf = (file: string): string => readFileSync(file, 'utf8')
const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file)
const isSupport = (file: string): boolean => /testing[^/]*\.ts$/.test(file)
const SOURCES = ['src', 'simulator', 'test', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
)
const PRODUCT = SOURCES.filter((file) => !isTest(file) && !isSupport(file))
const below = (folder: string): readonly string[] => PRODUCT.filter((file) => file.startsWith(`${folder}/`))

const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0)
const countOf = (pattern: RegExp, files: readonly string[]): number =>
  files.reduce((sum, file) => sum + (textOf(file).match(pattern)?.length ?? 0), 0)

/** Files of `src` with a function that a StartTransaction calls in the core, from its frame to its answer. */
async function filesOfAStart(): Promise<number> {
  const house = await testCore()
  const station = await house.boot16('CP-1')
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await station.call('StartTransaction', START_TRANSACTION)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  await house.close()
  return result.filter(
    ({ url, functions }) =>
      url.includes('/src/') &&
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0)),
  ).length
}

/** In `weight.json` with its limit; a room that is not there has none. */
const FIGURES: Readonly<Record<string, () => number | Promise<number>>> = {
  'lines of src': () => linesOf(below('src')),
  ...Object.fromEntries(
    readdirSync('src')
      .filter((room) => !room.includes('.'))
      .map((room) => [`lines of src/${room}`, () => linesOf(below(`src/${room}`))]),
  ),
  'lines of simulator': () => linesOf(below('simulator')),
  'lines of tests': () => linesOf(SOURCES.filter(isTest)),
  'port interfaces': () => countOf(/^export interface /gm, below('src/domain/ports')),
  'storage operations': () =>
    countOf(
      /^ {2}[a-z]\w*\(/gm,
      below('src/domain/ports').filter((file) => file.includes('/storage')),
    ),
  'struck words in src and locales': () => countOf(STRUCK_WORDS, [...below('src'), 'locales/en.json']),
  'struck names in src': () => countOf(STRUCK_NAMES, below('src')),
  'files of a StartTransaction': filesOfAStart,
}

it('the weight of the product has a limit for each figure', () => {
  expect(Object.keys(LIMITS)).toEqual(Object.keys(FIGURES))
})

it.each(Object.entries(LIMITS))('%s: at most %i, and not far below', async (name, limit) => {
  const figure = (await FIGURES[name]?.()) ?? Number.NaN
  console.info(`${name}: ${figure}`)
  expect(figure).toBeLessThanOrEqual(limit)
  expect(limit).toBeLessThanOrEqual(Math.ceil(figure * 1.02))
})
