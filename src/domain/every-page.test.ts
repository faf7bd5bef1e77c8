import { expect, it } from 'vitest'
import { everyPage, everyRow, type ReadPage } from './selector.ts'

/** A list as a port gives it, and what was asked of it. */
function listed(rows: number): { readonly read: ReadPage<number>; readonly asked: (number | undefined)[] } {
  const asked: (number | undefined)[] = []
  return {
    asked,
    async read(last, limit) {
      asked.push(last)
      const first = (last ?? 0) + 1
      return Array.from({ length: Math.max(0, Math.min(limit, rows - first + 1)) }, (_, at) => first + at)
    },
  }
}

it.each([
  [0, [undefined]],
  [1, [undefined]],
  [2, [undefined]],
  [3, [undefined, 3]],
  [4, [undefined, 3]],
  [6, [undefined, 3, 6]],
  [7, [undefined, 3, 6]],
])('of %i rows, three at a time, gives each once, is asked %j, and no page is empty', async (rows, asked) => {
  const list = listed(rows)
  const pages: (readonly number[])[] = []
  for await (const page of everyPage(list.read, 3)) pages.push(page)
  expect(pages.flat()).toEqual(Array.from({ length: rows }, (_, at) => at + 1))
  expect(pages.every((page) => page.length > 0)).toBe(true)
  expect(list.asked).toEqual(asked)
})

it('is not read further than somebody asks for', async () => {
  const list = listed(100)
  for await (const _ of everyPage(list.read, 3)) break
  expect(list.asked).toEqual([undefined])
})

it('is one list for who wants all of it', async () => {
  expect(await everyRow(listed(1234).read)).toHaveLength(1234)
})
