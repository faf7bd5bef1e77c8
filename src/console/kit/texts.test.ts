import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LOCALES } from '../../application/words/in-languages.ts'
import { sharedWords, wordsIn } from './parts.tsx'

/** Their keys are sentences or names of forms and fields, and have tests of their own. */
const BY_VALUE = new Set(['audit', 'commandFields', 'refusals'])

type Node = string | { readonly [key: string]: Node }

function leaves(node: Node, path: string): readonly (readonly [path: string, text: string])[] {
  if (typeof node === 'string') return [[path, node]]
  return Object.entries(node).flatMap(([key, inner]) => leaves(inner, `${path} ${key}`))
}

it('are in the reader’s language, a page’s own before the shared ones', () => {
  const [english, german] = [wordsIn('variables', { language: 'en' }), wordsIn('variables', { language: 'de' })]
  expect([english.save, german.save]).toEqual(['Set it', 'Setzen'])
  expect([english.delete, german.delete]).toEqual(['Delete', 'Löschen'])
})

it('fill in their values, and choose by the first whether it is one', () => {
  expect(sharedWords({ language: 'de' }).partOf('{total}', 3)).toBe('{total} von 3')
  expect([1, 2].map((count) => wordsIn('jump', { language: 'en' }).labelled(count))).toEqual([
    'one charge point',
    '2 charge points',
  ])
})

it.each(['en', 'de'] as const)('%s: a text fills in what its key names, and is not empty', (language) => {
  const texts = leaves(LOCALES[language], '').filter(([path]) => !path.startsWith(' refusals '))
  const wrong = texts.filter(([path, text]) => {
    const named = /\((.*)\)/.exec(path)?.[1]?.split(', ') ?? []
    const filled = [...text.matchAll(/(?<!\/)\{(\w+)\}/g)].map(([, name = '']) => name)
    return text.trim() === '' || filled.some((name) => !named.includes(name))
  })
  expect(wrong).toEqual([])
})

it('each is shown by some page', () => {
  const source = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(join('src', file), 'utf8'))
    .join('\n')
  const words = new Set(Array.from(source.matchAll(/(?<=[.'{,] ?)\w+/g), ([word]) => word))
  const unused = Object.entries(LOCALES.en).flatMap(([name, texts]) =>
    BY_VALUE.has(name) ? [] : Object.keys(texts).filter((key) => !words.has(/^[\w-]+/.exec(key)?.[0] ?? '')),
  )
  expect(unused).toEqual([])
})
